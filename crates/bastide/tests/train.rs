//! `bastide train` as a person runs it: stopped, and taken up again.

#![allow(clippy::unwrap_used, reason = "a test that fails says where")]

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

fn train(folder: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_bastide"));
    command.arg("train").arg(folder.join("run.toml")).arg("--out").arg(folder.join("run"));
    command.args(["--threads", "1", "--trial-every", "8", "--trial-decks", "1"]);
    command
}

/// A run short enough for a test, or long enough to be stopped.
fn configure(folder: &Path, games: u64) {
    let text = include_str!("../../bots/nets/two-returns.toml");
    let games = format!("round_games = 4\ngames = {games}\n");
    let text: String = text
        .lines()
        .map(|line| if line.starts_with("games =") { games.clone() } else { format!("{line}\n") })
        .collect();
    fs::write(folder.join("run.toml"), text).unwrap();
}

/// How many games a checkpoint has behind it: its second number, after a line.
fn games_of(checkpoint: &Path) -> u64 {
    let bytes = fs::read(checkpoint).unwrap();
    u64::from_le_bytes(bytes[24..32].try_into().unwrap())
}

#[test]
#[cfg(unix)]
fn an_interrupted_run_saves_and_goes_on() {
    let folder = std::env::temp_dir().join(format!("bastide-train-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    configure(&folder, 1_000_000);
    let mut child = train(&folder).stdout(Stdio::null()).spawn().unwrap();
    let started = Instant::now();
    // The first trial shows that games were played.
    while !folder.join("run/checkpoint").exists() {
        assert!(started.elapsed() < Duration::from_secs(120), "no trial came");
        std::thread::sleep(Duration::from_millis(20));
    }
    let interrupt = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(interrupt.unwrap().success());
    assert_eq!(child.wait().unwrap().code(), Some(130));
    let games = games_of(&folder.join("run/checkpoint"));
    assert!(games >= 8, "{games}");

    let read = |name: &str| fs::read_to_string(folder.join("run").join(name)).unwrap();
    // The time before the stop counts, also that since the last trial.
    fs::write(folder.join("run/seconds"), "7200\n").unwrap();
    let out = train(&folder).args(["--minutes", "0.00001"]).output().unwrap();
    let text = String::from_utf8(out.stdout).unwrap();
    assert!(out.status.success(), "{text}");
    assert!(text.starts_with(&format!("training from {games} games")), "{text}");
    assert!(games_of(&folder.join("run/checkpoint")) >= games);
    let seconds: f64 = read("seconds").trim().parse().unwrap();
    assert!((7200.0..9000.0).contains(&seconds), "{seconds}");
    assert!(folder.join("run/net").exists() && read("curve.svg").contains(" h</text>"));
    fs::remove_dir_all(&folder).unwrap();
}

/// A folder is one run's: nothing else goes on there, and a finished run stays as it is.
#[test]
fn a_folder_belongs_to_one_run() {
    let folder = std::env::temp_dir().join(format!("bastide-train-one-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    let run = folder.join("run");
    let text = |out: &std::process::Output| {
        String::from_utf8_lossy(&[&out.stdout[..], &out.stderr[..]].concat()).into_owned()
    };
    configure(&folder, 8);
    let out = train(&folder).output().unwrap();
    assert!(out.status.success(), "{}", text(&out));
    assert!(text(&out).contains("8 of 8 games; the net is "), "{}", text(&out));
    let [curve, net] = ["curve.csv", "net"].map(|name| fs::read(run.join(name)).unwrap());
    assert!(train(&folder).status().unwrap().success());
    assert_eq!(fs::read(run.join("curve.csv")).unwrap(), curve, "it was tried again");
    assert_eq!(fs::read(run.join("net")).unwrap(), net);

    let refused = |why: &str| {
        let out = train(&folder).output().unwrap();
        assert!(!out.status.success() && text(&out).contains(why), "{why}: {}", text(&out));
    };
    let held = fs::File::open(run.join("config.toml")).unwrap();
    held.try_lock().unwrap();
    refused("another run is writing to");
    drop(held);
    configure(&folder, 4);
    refused("another configuration");
    configure(&folder, 8);
    let checkpoint = fs::read(run.join("checkpoint")).unwrap();
    let mut far = checkpoint.clone();
    far[24..32].copy_from_slice(&u64::MAX.to_le_bytes());
    fs::write(run.join("checkpoint"), far).unwrap();
    refused("is damaged: it has 18446744073709551615 games");
    fs::write(run.join("checkpoint"), &checkpoint[..5_000]).unwrap();
    refused("is cut off");
    fs::write(run.join("checkpoint"), checkpoint).unwrap();
    fs::remove_file(run.join("config.toml")).unwrap();
    refused("can't open");
    fs::remove_dir_all(&folder).unwrap();
}

/// A run whose rate falls only at its end can be made longer before that.
#[test]
fn the_length_of_a_run_can_be_chosen_while_it_goes_on() {
    let folder = std::env::temp_dir().join(format!("bastide-train-long-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    let lengthen = |games: u64| {
        configure(&folder, games);
        let text = fs::read_to_string(folder.join("run.toml")).unwrap();
        fs::write(folder.join("run.toml"), format!("falling_games = 4\n{text}")).unwrap();
    };
    lengthen(8);
    assert!(train(&folder).args(["--minutes", "0.00001"]).status().unwrap().success());
    lengthen(12);
    let out = train(&folder).output().unwrap();
    assert!(String::from_utf8_lossy(&out.stdout).contains("12 of 12 games"), "{out:?}");
    let [asked, kept] = ["run.toml", "run/config.toml"].map(|name| fs::read(folder.join(name)));
    assert_eq!(asked.unwrap(), kept.unwrap());
    lengthen(16);
    let out = train(&folder).output().unwrap();
    fs::remove_dir_all(&folder).unwrap();
    assert!(String::from_utf8_lossy(&out.stderr).contains("another configuration"), "{out:?}");
}

/// Labels take long to make: they are kept, and those of something else are refused.
#[test]
fn two_ply_labels_are_kept_and_taken_up() {
    let folder = std::env::temp_dir().join(format!("bastide-train-two-ply-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    let nets = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../bots/nets"));
    fs::copy(nets.join("two.net"), folder.join("two.net")).unwrap();
    configure(&folder, 8);
    let text = fs::read_to_string(folder.join("run.toml")).unwrap();
    let options = "targets = \"two-ply\"\nlabel_games = 3\nstart = \"two.net\"\nthreats = true\n";
    fs::write(folder.join("run.toml"), format!("{options}{text}")).unwrap();
    let run = folder.join("run");
    let read = |name: &str| fs::read(run.join(name)).unwrap();
    let out = train(&folder).output().unwrap();
    assert!(String::from_utf8_lossy(&out.stdout).contains("8 of 8 games"), "{out:?}");
    let (labels, net) = (read("labels"), read("net"));
    assert_eq!(labels.iter().filter(|byte| **byte == b'\n').count(), 4, "a line for each game");
    assert!(net.starts_with(b"bastide-net carcassonne inputs 4 "));

    fs::remove_file(run.join("checkpoint")).unwrap();
    fs::write(run.join("labels"), &labels[..labels.len() - 100]).unwrap();
    assert!(train(&folder).status().unwrap().success());
    assert!(read("labels") == labels, "the line that was cut off is there again");
    assert!(read("net") == net, "the same run");

    let refused = |words: &[&str], why: &str| {
        let out = train(&folder).args(words).output().unwrap();
        let said = String::from_utf8_lossy(&out.stderr).into_owned();
        assert!(!out.status.success() && said.contains(why), "{why}: {said}");
    };
    refused(&["--hand-out"], "trained on one machine, without --hand-out and --games");
    let words = ["--games=0-3", "--net=two.net", "--gradient=gradient"];
    refused(&words, "trained on one machine, without --hand-out and --games");
    let damaged = String::from_utf8(labels).unwrap().replacen("\n1 | ", "\n7 | ", 1);
    fs::write(run.join("labels"), damaged).unwrap();
    refused(&[], "line 3 holds no labels of game 1");
    fs::copy(nets.join("many.net"), folder.join("two.net")).unwrap();
    refused(&[], "another net to start from");
    fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn senseless_options_are_refused() {
    for (option, value) in [
        ("--trial-every", "0"),
        ("--trial-decks", "0"),
        ("--minutes", "nan"),
        ("--minutes", "-1"),
        ("--threads", "0"),
    ] {
        let config = concat!(env!("CARGO_MANIFEST_DIR"), "/../bots/nets/two-returns.toml");
        let option = format!("{option}={value}");
        let out = Command::new(env!("CARGO_BIN_EXE_bastide"))
            .args(["train", config, &option])
            .output()
            .unwrap();
        assert_eq!(out.status.code(), Some(2), "{option}");
    }
}
