//! The simulation as one function from a question to an answer, both as bytes: the program
//! `engine` is nothing else. A page that shows recorded films loads it when somebody makes a run
//! of their own.

use crate::actions::{self, Group};
use crate::diagram::{Density, Frame};
use crate::film::{Film, Picture};
use crate::playhead::Cursor;
use crate::record;
use crate::script;
use crate::session::{Intent, Run, Session};
use crate::wire;
use serde::{Deserialize, Serialize};

/// The run to play with.
const STORY: &str = include_str!("../../tests/cases/two-clients-41-42.fence");

/// What can be asked about a text under a policy.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Question {
    /// A scenario.
    pub text: String,
    /// At every resource; `None`: the text's own.
    pub policy: Option<String>,
    /// Width of the picture, in px.
    pub width: f64,
    /// How much room the picture has.
    pub density: Density,
    /// What to do.
    pub ask: Ask,
}

/// What a question is about.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Ask {
    /// The film.
    Show,
    /// The film of the story to play with, instead of the text's.
    Story,
    /// The film with one more line of the language at the cursor; later lines are dropped.
    Act(Cursor, String),
    /// What can be done at the cursor.
    Offers(Cursor),
}

/// An answer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Answer {
    /// The bytes were no question.
    Nothing,
    /// To [`Ask::Show`] and [`Ask::Story`].
    Shown(Shown),
    /// To [`Ask::Act`]: and when what the line began has finished, in virtual milliseconds.
    Acted(Shown, u64),
    /// To [`Ask::Offers`].
    Offers(Vec<Group>),
}

/// A text with its film.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Shown {
    /// The text, with what was added.
    pub text: String,
    /// The policy; `None` where none was asked for, or where what was asked for is none.
    pub policy: Option<String>,
    /// The film.
    pub film: Film,
    /// Its picture.
    pub picture: Picture,
}

/// Answers a question. Total: bytes that are no question are answered with [`Answer::Nothing`].
pub fn answer(question: &[u8]) -> Vec<u8> {
    let answer = match wire::from_bytes(question) {
        Ok(question) => reply(question),
        Err(_) => Answer::Nothing,
    };
    wire::to_bytes(&answer)
}

fn reply(question: Question) -> Answer {
    let policy = question
        .policy
        .as_deref()
        .and_then(|policy| script::parse_policy(policy).ok());
    match &question.ask {
        Ask::Show | Ask::Story => {
            let text = match question.ask {
                Ask::Story => STORY,
                _ => &question.text,
            };
            let run = Run::new(text, policy.as_ref());
            Answer::Shown(shown(&question, text.to_owned(), &run))
        }
        Ask::Act(cursor, line) => {
            let mut session = Session::new(question.text.clone());
            session.update(Intent::SetPolicy(policy));
            session.head.cursor = *cursor;
            let finish_ms = session.act(line);
            Answer::Acted(
                shown(&question, session.source.clone(), &session.run),
                finish_ms,
            )
        }
        Ask::Offers(cursor) => {
            let run = Run::new(&question.text, policy.as_ref());
            Answer::Offers(actions::offers(&run, *cursor))
        }
    }
}

fn shown(question: &Question, text: String, run: &Run) -> Shown {
    Shown {
        text,
        policy: run.policy.as_ref().map(ToString::to_string),
        film: record::film(run),
        picture: record::picture(run, &Frame::of(question.width.max(280.0), question.density)),
    }
}
