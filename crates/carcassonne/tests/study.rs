//! Studies: lines of play with variations and comments, as text and changed by several people.

use carcassonne::{Carcassonne, Move, Setup};
use game::study::{Chapter, DEEPEST, Edit, EditError, LONGEST_COMMENT, MOST_CHAPTERS, Mark, Study};
use game::{Game, Random, Record, Turn, ignore};

type Games = Study<Carcassonne>;

const SMALL: &str = "\
study Endings
chapter The last monastery
carcassonne players=2 farmers=on start=tile board=unlimited tiny-city=4
{What would you draw?}
V; 1,0 r0; road0 ! {Claims the road.} (pass {Too careful.
Two lines, a \\} and a \\\\.} (field0)) (field1
U)
U (X; -1,0 r0); -1,0 r0 (0,-1 r0 ?!); pass

chapter Nothing yet
carcassonne players=3 farmers=on start=tile board=unlimited tiny-city=4
";

fn read(text: &str) -> Games {
    text.parse().unwrap_or_else(|e| panic!("{e}\n{text}"))
}

fn refused(text: &str) -> String {
    text.parse::<Games>().expect_err("it is no study").to_string()
}

/// A chapter with so many moves, variations at random places and comments of every kind.
fn random_chapter(random: &mut Random, moves: usize) -> Chapter<Carcassonne> {
    let mut chapter = Chapter::new("At random".to_owned(), Setup::default());
    let mut paths: Vec<Vec<Move>> = vec![Vec::new()];
    let mut legal = Vec::new();
    while chapter.tree.len() < moves {
        let path = paths[random.below(paths.len() as u32) as usize].clone();
        let mut game = Carcassonne::new(&chapter.setup);
        path.iter().for_each(|m| game.play_unchecked(*m, ignore));
        let mut added = Vec::new();
        for _ in 0..random.below(12) {
            game.moves(&mut legal);
            let Some(m) = random.pick(&legal) else { break };
            game.play_unchecked(*m, ignore);
            added.push(*m);
        }
        let edit = Edit::Play { path: path.clone(), moves: added.clone() };
        match chapter.apply(&edit) {
            Ok(()) => {}
            Err(EditError::Refused(_)) => continue,
            Err(other) => panic!("{other}"),
        }
        let path = [path, added].concat();
        let text = ["", "a { brace", "} and \\ and\nlines\n\n# no remark", "(x); y"]
            [random.below(4) as usize];
        let was = match chapter.tree.find(&path).expect("it was added") {
            Some(at) => chapter.tree.node(at).comment.clone(),
            None => chapter.comment.clone(),
        };
        let text = text.to_owned();
        chapter
            .apply(&Edit::Comment { path: path.clone(), text, was })
            .expect("nobody else writes");
        if !path.is_empty() {
            let mark = Mark::ALL.get(random.below(7) as usize).copied();
            chapter.apply(&Edit::Mark { path: path.clone(), mark }).expect("it is there");
            if random.below(5) == 0 {
                let _ = chapter.apply(&Edit::Promote { path: path.clone() });
            }
            paths.push(path);
        }
    }
    chapter
}

#[test]
fn a_study_is_written_as_it_was_read() {
    let study = read(SMALL);
    assert_eq!((study.title.as_str(), study.chapters.len()), ("Endings", 2));
    let chapter = &study.chapters[0];
    assert_eq!((chapter.title.as_str(), chapter.tree.len()), ("The last monastery", 13));
    assert_eq!(chapter.comment, "What would you draw?");
    let path: Vec<Move> = ["V", "1,0 r0", "pass"].map(|m| m.parse().unwrap()).into();
    let careful = chapter.tree.node(chapter.tree.find(&path).unwrap().unwrap());
    assert_eq!(careful.comment, "Too careful.\nTwo lines, a } and a \\.");
    let written = study.to_string();
    assert_eq!(read(&written), study);
    assert_eq!(read(&written).to_string(), written);
    // Alternatives of an alternative stand beside it.
    let after: Vec<Move> = ["V", "1,0 r0"].map(|m| m.parse().unwrap()).into();
    assert_eq!(chapter.tree.after(chapter.tree.find(&after).unwrap()).len(), 4);
}

#[test]
fn fifty_chapters_with_variations_come_back_the_same() {
    let mut random = Random::new(5);
    let chapters = (0..50).map(|_| random_chapter(&mut random, 120)).collect();
    let study = Games { title: "Fifty".to_owned(), chapters };
    let text = study.to_string();
    assert!(text.contains("((") || text.matches('(').count() > 500, "there are variations");
    assert!(read(&text) == study);
    // Without a line end at the end, and with those of another system.
    assert!(read(text.trim_end()) == study);
    assert!(read(&text.replace('\n', "\r\n")) == study);
}

#[test]
fn a_record_is_a_study() {
    let mut game = Carcassonne::new(&Setup::default());
    let (mut record, mut random, mut legal) =
        (Record::<Carcassonne>::new(Setup::default()), Random::new(3), Vec::new());
    while game.turn() != Turn::Over {
        game.moves(&mut legal);
        let m = *random.pick(&legal).unwrap();
        game.play_unchecked(m, ignore);
        record.moves.push(m);
    }
    let study = read(&record.to_string());
    assert_eq!(study.to_string(), record.to_string());
    let line: Vec<Move> = study.chapters[0].tree.walk().map(|(_, node)| node.played).collect();
    assert_eq!(line, record.moves);
}

#[test]
fn text_that_is_no_study_is_refused_with_its_line() {
    let head = "carcassonne players=2";
    let deep = "(V".repeat(DEEPEST + 1);
    let long = "x".repeat(LONGEST_COMMENT + 1);
    let many = format!("chapter\n{head}\n").repeat(MOST_CHAPTERS + 1);
    for (text, line, word) in [
        (String::new(), 1, "a chapter begins with 'carcassonne SETUP'"),
        ("study A\nstudy B".to_owned(), 2, "stands once"),
        ("chapter A".to_owned(), 1, "begins with"),
        ("chapter A\nchapter B".to_owned(), 2, "begins with"),
        ("chess".to_owned(), 1, "found 'chess'"),
        (format!("{head}\nV; 5,5 r0"), 2, "ply 2 '5,5 r0'"),
        (format!("{head}\nV\n1,0 r0 (9,9 r0)"), 3, "ply 2 '9,9 r0'"),
        (format!("{head}\n(V)"), 2, "behind the move"),
        (format!("{head}\nV ((W))"), 2, "behind the move"),
        (format!("{head}\nV ()"), 2, "without a move"),
        (format!("{head}\nV (W"), 2, "1 '(' without ')'"),
        (format!("{head}\nV)"), 2, "')' without '('"),
        (format!("{head}\nV }}"), 2, "'}' without '{'"),
        (format!("{head}\nV {{open\n\n"), 3, "begins on line 2"),
        (format!("{head}\nV !!!"), 2, "is no mark"),
        (format!("{head}\nV {{{long}}}"), 2, "at most 4000"),
        (format!("{head}\nV {{\u{1b}[31m}}"), 2, "control character"),
        (format!("study \u{7}\n{head}"), 1, "control character"),
        (format!("{head}\nV {deep}"), 2, "deep at most"),
        (many, 2 * MOST_CHAPTERS + 1, "at most 64 chapters"),
        (format!("{head}\n{}", "V (W) ".repeat(20_001)), 2, ""),
        ("\u{0}\u{ff}".repeat(1_000), 1, "expected a chapter"),
    ] {
        let error = refused(&text);
        assert!(error.starts_with(&format!("line {line}: ")), "{error}");
        assert!(error.contains(word), "{error}: expected '{word}'");
        assert!(error.len() < 4_000, "{} bytes", error.len());
    }
}

#[test]
fn whatever_is_cut_or_changed_never_ends_the_program() {
    let text = read(SMALL).to_string();
    let mut random = Random::new(11);
    for _ in 0..4_000 {
        let mut bytes = text.clone().into_bytes();
        for _ in 0..=random.below(3) {
            let at = random.below(bytes.len() as u32) as usize;
            match random.below(3) {
                0 => bytes.truncate(at.max(1)),
                1 => bytes[at] = b"(){};#\\!? Vr0\n"[random.below(14) as usize],
                _ => bytes.insert(at, b"(){};#\\!?\n"[random.below(10) as usize]),
            }
        }
        let Ok(changed) = String::from_utf8(bytes) else { continue };
        // What is read is written and read the same.
        if let Ok(study) = changed.parse::<Games>() {
            assert_eq!(read(&study.to_string()), study, "{changed}");
        }
    }
}

#[test]
fn people_who_change_a_chapter_at_once_lose_nothing() {
    let mut chapter = Chapter::<Carcassonne>::new(String::new(), Setup::default());
    let path = |text: &str| text.split("; ").map(|m| m.parse().unwrap()).collect::<Vec<Move>>();
    let play = |at: &str, moves: &str| Edit::Play {
        path: if at.is_empty() { Vec::new() } else { path(at) },
        moves: path(moves),
    };
    // Both add something at the same place; the same move is there once.
    chapter.apply(&play("", "V; 1,0 r0; road0")).unwrap();
    chapter.apply(&play("", "V; 1,0 r0; pass")).unwrap();
    chapter.apply(&play("V; 1,0 r0", "pass; U")).unwrap();
    assert_eq!(chapter.tree.len(), 5);
    let say = |text: &str, was: &str| Edit::Comment {
        path: path("V; 1,0 r0"),
        text: text.to_owned(),
        was: was.to_owned(),
    };
    chapter.apply(&say("mine", "")).unwrap();
    assert_eq!(
        chapter.apply(&say("yours", "")),
        Err(EditError::Changed { now: "mine".to_owned() }),
        "the last writer sees what changed"
    );
    chapter.apply(&say("mine", "")).unwrap();
    chapter.apply(&say("both", "mine")).unwrap();
    chapter.apply(&Edit::Promote { path: path("V; 1,0 r0; pass") }).unwrap();
    let text = chapter.to_string();
    assert!(text.contains("1,0 r0 {both}; pass (road0)\nU"), "{text}");
    chapter.apply(&Edit::Delete { path: path("V; 1,0 r0; pass") }).unwrap();
    assert_eq!(chapter.tree.len(), 3);
    assert!(chapter.to_string().contains("{both}; road0\n"), "{chapter}");
    // What the other has taken away is not there; what is not legal is refused, and nothing changes.
    let before = chapter.clone();
    let gone = chapter.apply(&play("V; 1,0 r0; pass", "U")).unwrap_err();
    assert_eq!(gone.to_string(), "ply 3 'pass' is not in this chapter");
    let wrong = chapter.apply(&play("V; 1,0 r0", "pass; U; 9,9 r0")).unwrap_err();
    assert!(wrong.to_string().starts_with("ply 5 '9,9 r0': "), "{wrong}");
    let start = chapter.apply(&Edit::Delete { path: Vec::new() }).unwrap_err();
    assert!(start.to_string().contains("needs a move"), "{start}");
    assert_eq!(chapter, before);
}

#[test]
fn a_chapter_may_begin_with_a_position_laid_by_hand() {
    let text = "\
carcassonne players=2 farmers=on start=tile board=unlimited tiny-city=4
from tile U 1,0 r0 0 road0 | scores 4 12 | player 1
{What now?}
E; 0,1 r2 ! (0,-1 r1); pass
";
    let study = read(text);
    assert_eq!(study.to_string(), text);
    let [chapter] = study.chapters.as_slice() else { panic!("{study:?}") };
    assert_eq!(chapter.start().scores().as_slice(), [4, 12]);
    assert_eq!(chapter.start().player().index(), 1);
    let mut edited = chapter.clone();
    let path = chapter.tree.walk().take(1).map(|(_, node)| node.played).collect();
    let edit = Edit::Play { path, moves: vec!["1,-1 r1".parse().unwrap()] };
    assert!(edited.apply(&edit).is_ok(), "the edit is played from the position that was laid");
    for (from, word) in [
        ("from tile U 1,0 r1", "its edges are not like"),
        ("from sing", "line 2: part 1: 'sing': expected tile"),
        ("from", "line 2: expected 'from LAYOUT'"),
        ("from # nothing", "line 2: expected 'from LAYOUT'"),
        ("from player 0 | player 1", "line 2: part 2: 'player' stands there already"),
        ("from player 0\nfrom player 1", "'from' stands once"),
        ("V\nfrom player 0", "'from' stands once"),
    ] {
        let said = refused(&format!("carcassonne\n{from}\n"));
        assert!(said.contains(word), "{from}: {said}");
    }
}
