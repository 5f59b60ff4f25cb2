//! A set of the values of a small enum, as bits: as cheap to copy as a number.

use std::fmt;
use std::marker::PhantomData;

/// An enum of at most sixteen values that all have a place.
pub trait Listed: Copy + 'static {
    /// All values, by place.
    const VALUES: &'static [Self];

    /// The place of a value, from 0.
    fn place(self) -> u32;
}

/// Any of the values of `T`, each at most once.
#[derive(PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EnumSet<T> {
    bits: u16,
    of: PhantomData<T>,
}

impl<T> Copy for EnumSet<T> {}

impl<T> Clone for EnumSet<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Default for EnumSet<T> {
    fn default() -> Self {
        EnumSet {
            bits: 0,
            of: PhantomData,
        }
    }
}

impl<T: Listed> EnumSet<T> {
    /// Without a value.
    pub fn new() -> Self {
        Self::default()
    }

    /// Whether `value` is in it.
    pub fn contains(&self, value: &T) -> bool {
        self.bits >> value.place() & 1 == 1
    }

    /// Adds `value`; `false` if it was there.
    pub fn insert(&mut self, value: T) -> bool {
        let before = self.bits;
        self.bits |= 1 << value.place();
        before != self.bits
    }

    /// Takes `value` out; `false` if it was not there.
    pub fn remove(&mut self, value: &T) -> bool {
        let before = self.bits;
        self.bits &= !(1 << value.place());
        before != self.bits
    }

    /// Adds `value` if `holds`.
    pub fn insert_if(&mut self, holds: bool, value: T) {
        self.bits |= u16::from(holds) << value.place();
    }

    /// Whether it has no value.
    pub fn is_empty(&self) -> bool {
        self.bits == 0
    }

    /// How many values it has.
    pub fn len(&self) -> usize {
        self.bits.count_ones() as usize
    }

    /// Its values in the order of the enum.
    pub fn iter(&self) -> impl Iterator<Item = &'static T> + use<T> {
        let set = *self;
        T::VALUES.iter().filter(move |value| set.contains(value))
    }
}

impl<T: Listed> FromIterator<T> for EnumSet<T> {
    fn from_iter<I: IntoIterator<Item = T>>(values: I) -> Self {
        let mut set = Self::new();
        for value in values {
            set.insert(value);
        }
        set
    }
}

impl<T: Listed, const N: usize> From<[T; N]> for EnumSet<T> {
    fn from(values: [T; N]) -> Self {
        values.into_iter().collect()
    }
}

impl<T: Listed + fmt::Debug> fmt::Debug for EnumSet<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}
