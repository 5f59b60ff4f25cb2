//! The simulation as a program of its own, without a browser's interface: a page puts a question
//! into its memory and reads the answer from there. See `fencing_core::engine`.

use std::cell::RefCell;

thread_local! {
    static QUESTION: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
    static ANSWER: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

/// Where a question of so many bytes has to be put.
#[unsafe(no_mangle)]
pub extern "C" fn room(bytes: usize) -> *const u8 {
    QUESTION.with_borrow_mut(|question| {
        question.clear();
        question.resize(bytes, 0);
        question.as_ptr()
    })
}

/// Answers the question that was put there. Returns the length of the answer in bytes.
#[unsafe(no_mangle)]
pub extern "C" fn answer() -> usize {
    let answer = QUESTION.with_borrow(|question| fencing_core::engine::answer(question));
    ANSWER.with_borrow_mut(|kept| {
        *kept = answer;
        kept.len()
    })
}

/// Where the last answer is, until the next question.
#[unsafe(no_mangle)]
pub extern "C" fn answer_at() -> *const u8 {
    ANSWER.with_borrow(|kept| kept.as_ptr())
}

fn main() {}
