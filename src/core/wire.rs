//! Values as bytes, between the compiler, the app and the engine: the format of the `postcard` crate,
//! which writes them. They are read here, since what serde derives for a reader that can fail is several
//! times the code: after each of some hundred values a way out, with all that was read before to drop.
//!
//! Invariants
//! - Reading is total. Where bytes are missing or wrong, a value is empty or 0 and the reader is marked;
//!   only the whole can fail, at its end.
//! - It takes no more memory than the bytes allow: an announced length is no promise.

use serde::Serialize;
use serde::de::value::U32Deserializer;
use serde::de::{self, DeserializeOwned, DeserializeSeed, IntoDeserializer, SeqAccess, Visitor};
use std::fmt;

/// The bytes are of another version, or damaged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Damaged;

/// The bytes of a value.
pub fn to_bytes<T: Serialize>(value: &T) -> Vec<u8> {
    // It fails only where memory does.
    postcard::to_allocvec(value).unwrap_or_default()
}

/// The value that has these bytes.
///
/// # Errors
/// They are no bytes of such a value.
pub fn from_bytes<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, Damaged> {
    let mut reader = Reader {
        rest: bytes,
        is_damaged: false,
    };
    let Ok(value) = T::deserialize(&mut reader);
    if reader.is_damaged || !reader.rest.is_empty() {
        return Err(Damaged);
    }
    Ok(value)
}

/// What is still to be read.
struct Reader<'de> {
    rest: &'de [u8],
    is_damaged: bool,
}

/// The error that does not happen, so that there is no code for it.
#[derive(Debug)]
enum Never {}

impl fmt::Display for Never {
    fn fmt(&self, _: &mut fmt::Formatter) -> fmt::Result {
        match *self {}
    }
}

impl std::error::Error for Never {}

impl de::Error for Never {
    fn custom<T: fmt::Display>(_: T) -> Self {
        unreachable!("values that are read fit where they go")
    }
}

impl<'de> Reader<'de> {
    /// The next `count` bytes; none if there are fewer.
    #[inline(never)]
    fn take(&mut self, count: usize) -> &'de [u8] {
        match self.rest.split_at_checked(count) {
            Some((taken, rest)) => {
                self.rest = rest;
                taken
            }
            None => {
                self.damage();
                &[]
            }
        }
    }

    /// Ends all reading.
    fn damage(&mut self) {
        self.is_damaged = true;
        self.rest = &[];
    }

    fn byte(&mut self) -> u8 {
        self.take(1).first().copied().unwrap_or(0)
    }

    /// A number up to `most`, else 0: seven bits a byte, the lowest first.
    #[inline(never)]
    fn number(&mut self, most: u64) -> u64 {
        let mut number = 0;
        for shift in (0..u64::BITS).step_by(7) {
            let byte = self.byte();
            let bits = u64::from(byte & 0x7f);
            number |= bits << shift;
            let is_whole = (bits << shift) >> shift == bits;
            if byte < 0x80 && is_whole && number <= most {
                return number;
            }
            if byte < 0x80 {
                break;
            }
        }
        self.damage();
        0
    }

    fn length(&mut self) -> usize {
        // No more than there are bytes: each item has at least one.
        self.number(self.rest.len() as u64) as usize
    }

    #[inline(never)]
    fn text(&mut self) -> &'de str {
        let length = self.length();
        str::from_utf8(self.take(length)).unwrap_or_else(|_| {
            self.damage();
            ""
        })
    }
}

impl<'de> de::Deserializer<'de> for &mut Reader<'de> {
    type Error = Never;

    fn is_human_readable(&self) -> bool {
        false
    }

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Never> {
        visitor.visit_bool(self.number(1) == 1)
    }

    fn deserialize_u32<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Never> {
        visitor.visit_u32(self.number(u32::MAX.into()) as u32)
    }

    fn deserialize_u64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Never> {
        // A `usize` is asked for as a `u64`, and may be smaller.
        let is_narrow = size_of::<V::Value>() < size_of::<u64>();
        let most = if is_narrow { u32::MAX.into() } else { u64::MAX };
        visitor.visit_u64(self.number(most))
    }

    fn deserialize_f64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Never> {
        let bytes = self.take(8).try_into().unwrap_or_default();
        visitor.visit_f64(f64::from_le_bytes(bytes))
    }

    fn deserialize_str<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Never> {
        visitor.visit_borrowed_str(self.text())
    }

    fn deserialize_string<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Never> {
        self.deserialize_str(visitor)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Never> {
        match self.number(1) {
            0 => visitor.visit_none(),
            _ => visitor.visit_some(self),
        }
    }

    fn deserialize_unit<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Never> {
        visitor.visit_unit()
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, Never> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Never> {
        let left = self.length();
        visitor.visit_seq(Items { reader: self, left })
    }

    fn deserialize_tuple<V: Visitor<'de>>(self, _: usize, visitor: V) -> Result<V::Value, Never> {
        visitor.visit_seq(Fields(self))
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Never> {
        visitor.visit_seq(Fields(self))
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Never> {
        let index = self.number(variants.len() as u64 - 1) as u32;
        visitor.visit_enum(Variant {
            reader: self,
            index,
        })
    }

    fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value, Never> {
        unreachable!("no value has a type like this")
    }

    serde::forward_to_deserialize_any! {
        i8 i16 i32 i64 i128 u8 u16 u128 f32 char bytes byte_buf unit_struct tuple_struct map
        identifier ignored_any
    }
}

/// The values of a structure: as many as are asked for.
struct Fields<'r, 'de>(&'r mut Reader<'de>);

impl<'de> SeqAccess<'de> for Fields<'_, 'de> {
    type Error = Never;

    fn next_element_seed<S: DeserializeSeed<'de>>(
        &mut self,
        seed: S,
    ) -> Result<Option<S::Value>, Never> {
        seed.deserialize(&mut *self.0).map(Some)
    }
}

/// The items of a list.
struct Items<'r, 'de> {
    reader: &'r mut Reader<'de>,
    left: usize,
}

impl<'de> SeqAccess<'de> for Items<'_, 'de> {
    type Error = Never;

    fn next_element_seed<S: DeserializeSeed<'de>>(
        &mut self,
        seed: S,
    ) -> Result<Option<S::Value>, Never> {
        if self.left == 0 || self.reader.is_damaged {
            return Ok(None);
        }
        self.left -= 1;
        seed.deserialize(&mut *self.reader).map(Some)
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.left)
    }
}

/// One of several kinds of value.
struct Variant<'r, 'de> {
    reader: &'r mut Reader<'de>,
    index: u32,
}

impl<'de> de::EnumAccess<'de> for Variant<'_, 'de> {
    type Error = Never;
    type Variant = Self;

    fn variant_seed<S: DeserializeSeed<'de>>(self, seed: S) -> Result<(S::Value, Self), Never> {
        let index: U32Deserializer<Never> = self.index.into_deserializer();
        Ok((seed.deserialize(index)?, self))
    }
}

impl<'de> de::VariantAccess<'de> for Variant<'_, 'de> {
    type Error = Never;

    fn unit_variant(self) -> Result<(), Never> {
        Ok(())
    }

    fn newtype_variant_seed<S: DeserializeSeed<'de>>(self, seed: S) -> Result<S::Value, Never> {
        seed.deserialize(self.reader)
    }

    fn tuple_variant<V: Visitor<'de>>(self, _: usize, visitor: V) -> Result<V::Value, Never> {
        visitor.visit_seq(Fields(self.reader))
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Never> {
        visitor.visit_seq(Fields(self.reader))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde::Deserialize;

    /// A value of each type that is read.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    enum Sample {
        Unit,
        New(bool),
        Pair(u32, usize),
        Record { big: u64, real: f64 },
        Text(Option<String>),
        List(Vec<(Sample, Wrapped)>),
    }

    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    struct Wrapped(usize);

    fn samples() -> impl Strategy<Value = Sample> {
        let leaf = prop_oneof![
            Just(Sample::Unit),
            any::<bool>().prop_map(Sample::New),
            any::<(u32, usize)>().prop_map(|(a, b)| Sample::Pair(a, b)),
            (any::<u64>(), -1e9..1e9).prop_map(|(big, real)| Sample::Record { big, real }),
            any::<Option<String>>().prop_map(Sample::Text),
        ];
        leaf.prop_recursive(4, 64, 8, |inner| {
            let items = (inner, any::<usize>()).prop_map(|(one, n)| (one, Wrapped(n)));
            prop::collection::vec(items, 0..8).prop_map(Sample::List)
        })
    }

    proptest! {
        #[test]
        fn what_is_written_is_read(sample in samples()) {
            let bytes = to_bytes(&sample);
            prop_assert_eq!(from_bytes(&bytes), Ok(sample));
            let longer = [&bytes[..], &[0]].concat();
            prop_assert_eq!(from_bytes::<Sample>(&longer), Err(Damaged));
            if let Some((_, shorter)) = bytes.split_last() {
                prop_assert_eq!(from_bytes::<Sample>(shorter), Err(Damaged));
            }
        }

        /// What the library takes is taken and means the same; of what it refuses only numbers that are
        /// longer than need be are taken.
        #[test]
        fn damaged_bytes_are_refused(sample in samples(), at: prop::sample::Index, byte: u8) {
            let mut bytes = to_bytes(&sample);
            let at = at.index(bytes.len());
            bytes[at] = byte;
            let read = from_bytes::<Sample>(&bytes).ok();
            let known = postcard::take_from_bytes::<Sample>(&bytes).ok();
            if let Some((known, [])) = known {
                let same = read.is_some_and(|read| to_bytes(&read) == to_bytes(&known));
                prop_assert!(same);
            } else if let Some(read) = read {
                prop_assert!(to_bytes(&read).len() < bytes.len());
            }
        }

        #[test]
        fn noise_is_read_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..64)) {
            let read = from_bytes::<Vec<Sample>>(&bytes);
            prop_assert!(read.is_err() || to_bytes(&read.unwrap()).len() <= bytes.len());
        }
    }

    #[test]
    fn an_announced_length_is_no_promise() {
        for bytes in [&[0xff, 0xff, 0xff, 0xff, 0x0f][..], &[200, 1, 0, 0]] {
            assert_eq!(from_bytes::<Vec<u64>>(bytes), Err(Damaged));
            assert_eq!(from_bytes::<String>(bytes), Err(Damaged));
        }
    }
}
