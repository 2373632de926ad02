//! Pictures of whole games: they are what they should be, and are written to look at.

use carcassonne::{Carcassonne, Setup};
use drawing::{Frame, Scene};
use game::{Game, Random, Turn};

/// A random game, with a scene after every turn in the frame of its end.
fn game_scenes(seed: u64) -> Vec<Scene> {
    let mut random = Random::new(seed);
    let mut game = Carcassonne::new(&Setup::default());
    let (mut positions, mut moves) = (vec![game.clone()], Vec::new());
    while game.turn() != Turn::Over {
        moves.clear();
        game.moves(&mut moves);
        let chosen = *random.pick(&moves).expect("a game that is not over has moves");
        game.play_unchecked(chosen, |_| {});
        if game.turn() == Turn::Chance || game.turn() == Turn::Over {
            positions.push(game.clone());
        }
    }
    let frame = Frame::close(&game);
    positions.iter().map(|position| drawing::board(position, frame)).collect()
}

/// With `PICTURES=folder` what is drawn here is kept there, to be looked at.
fn keep(name: &str, bytes: &[u8]) {
    if let Some(folder) = std::env::var_os("PICTURES") {
        std::fs::write(std::path::Path::new(&folder).join(name), bytes)
            .expect("the folder is there");
    }
}

#[test]
fn a_position_is_drawn_as_png_and_svg() {
    let scenes = game_scenes(7);
    let scene = &scenes[scenes.len() / 2];
    let (wide, high) = scene.size(64);
    let png = scene.png(64).unwrap();
    assert_eq!(&png[..8], b"\x89PNG\r\n\x1a\n");
    let number = |at: usize| u32::from_be_bytes(png[at..at + 4].try_into().unwrap());
    assert_eq!((number(16), number(20)), (wide, high));
    keep("position.png", &png);

    let svg = scene.svg(64);
    assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"));
    assert!(svg.contains(&format!("width=\"{wide}\" height=\"{high}\"")));
    // Everything that is used is defined.
    for used in svg.split("href=\"#").skip(1).map(|rest| rest.split('"').next().unwrap()) {
        assert!(svg.contains(&format!("id=\"{used}\"")), "{used} is not defined");
    }
    keep("position.svg", svg.as_bytes());
}

#[test]
fn the_same_position_gives_the_same_bytes() {
    let draw = || game_scenes(3).last().unwrap().png(24).unwrap();
    assert_eq!(draw(), draw());
}

#[test]
fn pictures_differ_where_positions_do() {
    let scenes = game_scenes(5);
    let pixels = |at: usize| scenes[at].pixels(12).unwrap();
    assert_ne!(pixels(10), pixels(11));
    let (wide, high) = scenes[10].size(12);
    assert_eq!(pixels(10).len(), (wide * high * 3) as usize);
}

#[test]
fn a_game_is_drawn_as_an_animation_with_a_frame_a_turn() {
    let scenes = game_scenes(11);
    let bytes = drawing::gif(&scenes, 20, 25).unwrap();
    assert_eq!(&bytes[..6], b"GIF89a");
    let mut options = gif::DecodeOptions::new();
    options.set_color_output(gif::ColorOutput::Indexed);
    let mut reader = options.read_info(&bytes[..]).unwrap();
    let (wide, high) = scenes[0].size(20);
    assert_eq!((u32::from(reader.width()), u32::from(reader.height())), (wide, high));
    let mut frames = 0;
    while let Some(frame) = reader.read_next_frame().unwrap() {
        assert!(u32::from(frame.left + frame.width) <= wide);
        frames += 1;
    }
    assert_eq!(frames, scenes.len());
    keep("game.gif", &bytes);
}

#[test]
fn what_cannot_be_drawn_is_refused_with_words() {
    let scenes = game_scenes(2);
    let too_large = scenes[0].png(60_000).unwrap_err();
    assert!(too_large.to_string().contains("too large"), "{too_large}");
    assert_eq!(drawing::gif(&[], 20, 25), Err(drawing::AnimationError::NoFrames));
    let other = game_scenes(4);
    let mixed = [scenes[0].clone(), other[0].clone()];
    if scenes[0].size(20) != other[0].size(20) {
        assert_eq!(drawing::gif(&mixed, 20, 25), Err(drawing::AnimationError::Sizes));
    }
    assert!(drawing::gif(&scenes[..1], 9_000, 25).is_err());
}
