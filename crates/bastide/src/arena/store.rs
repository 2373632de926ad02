//! What a match has played: in memory, and in a folder from which it can be resumed.
//!
//! The folder holds `match.json`, the parameters, and `games.jsonl`, one finished game a line in
//! the order they ended. A game is written as soon as it ends.

use super::Plan;
use super::game_runner::{Finished, Job};
use super::sides::PlayedEdition;
use anyhow::{Context, bail, ensure};
use carcassonne::{AllSets, Base, Options, Position};
use game::{Game, Record, Turn};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs::{self, File, TryLockError};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// The finished games of a match.
pub(crate) struct Store {
    games: BTreeMap<Job, Finished>,
    file: Option<File>,
    /// The files of programs that were known when the match began, for each side, if it is kept.
    programs: Option<ProgramNumbers>,
}

/// For each side that is an outside program, a number for each of its files.
type ProgramNumbers = BTreeMap<String, BTreeMap<String, String>>;

/// What `match.json` holds.
#[derive(Serialize, Deserialize)]
struct Head {
    format: u32,
    /// A number that another build of this program does not have.
    build: String,
    parameters: BTreeMap<String, String>,
    /// A number for each net file that a side plays with, which another net does not have.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    nets: BTreeMap<String, String>,
    /// For each side that is an outside program, such a number for each of its files.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    programs: ProgramNumbers,
}

/// The files of a folder.
const HEAD: &str = "match.json";
const GAMES: &str = "games.jsonl";

/// Changes when older folders can no longer be read.
const FORMAT: u32 = 1;

impl Store {
    /// Games that are gone with the program.
    pub(crate) const fn in_memory() -> Self {
        Self { games: BTreeMap::new(), file: None, programs: None }
    }

    /// The games in a folder, which is made if there is none; `warn` gets what is odd about it.
    ///
    /// # Errors
    /// If the folder holds a match with other parameters (the error names them), another process
    /// writes there, or it cannot be read or written.
    pub(crate) fn open(
        folder: &Path,
        plan: &Plan,
        mut warn: impl FnMut(String),
    ) -> anyhow::Result<Self> {
        let name = folder.display();
        fs::create_dir_all(folder).with_context(|| format!("can't make {name}"))?;
        let path = folder.join(GAMES);
        let mut file = File::options()
            .read(true)
            .append(true)
            .create(true)
            .open(&path)
            .with_context(|| format!("can't open {}", path.display()))?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => bail!("another match is writing to {name}"),
            Err(TryLockError::Error(error)) => {
                return Err(error).with_context(|| format!("can't lock {}", path.display()));
            }
        }
        let fresh = file.metadata()?.len() == 0;
        let head = check_head(folder, plan, fresh)?;
        if head.build != build() {
            warn(format!(
                "{name} was begun by another build of this program: if its bots play \
                          differently, the result is of neither"
            ));
        }
        let games = read_games(&mut file, plan)
            .with_context(|| format!("{} is damaged", path.display()))?;
        Ok(Self { games, file: Some(file), programs: Some(head.programs) })
    }

    /// Keeps a game.
    ///
    /// # Errors
    /// If it cannot be written.
    pub(super) fn add(&mut self, game: Finished) -> anyhow::Result<()> {
        if let Some(file) = &mut self.file {
            let line = serde_json::to_string(&game)? + "\n";
            file.write_all(line.as_bytes()).context("can't write the game")?;
        }
        self.games.entry(game.job()).or_insert(game);
        Ok(())
    }

    pub(super) fn has(&self, job: Job) -> bool {
        self.games.contains_key(&job)
    }

    /// The files of programs that were known when the match began, if it was begun before.
    pub(super) const fn programs(&self) -> Option<&ProgramNumbers> {
        self.programs.as_ref()
    }

    /// The games in the order of their rounds.
    pub(crate) fn games(&self) -> impl Iterator<Item = &Finished> {
        self.games.values()
    }
}

/// Compares the parameters, or writes them if there are no games; gives those the match began with.
fn check_head(folder: &Path, plan: &Plan, fresh: bool) -> anyhow::Result<Head> {
    let (path, name) = (folder.join(HEAD), folder.display());
    let parameters: BTreeMap<String, String> =
        plan.fixed().into_iter().map(|(key, value)| (key.to_owned(), value)).collect();
    let (nets, programs) = (plan.nets(), plan.program_files());
    if !path.exists() {
        ensure!(
            fresh,
            "{name} holds games, but no match.json that says whose; choose another folder"
        );
        let head = Head { format: FORMAT, build: build().to_owned(), parameters, nets, programs };
        write_whole(&path, &(serde_json::to_string_pretty(&head)? + "\n"))?;
        return Ok(head);
    }
    let text =
        fs::read_to_string(&path).with_context(|| format!("can't read {}", path.display()))?;
    let head: Head =
        serde_json::from_str(&text).with_context(|| format!("{} is damaged", path.display()))?;
    ensure!(head.format == FORMAT, "{name} is of format {}, not {FORMAT}", head.format);
    let none = "none".to_owned();
    let differ: Vec<String> = parameters
        .iter()
        .filter(|(key, value)| head.parameters.get(*key) != Some(value))
        .map(|(key, now)| {
            format!("{key} was '{}', is '{now}'", head.parameters.get(key).unwrap_or(&none))
        })
        .collect();
    ensure!(
        differ.is_empty(),
        "{name} holds a match with other parameters: {}; choose another folder",
        differ.join("; ")
    );
    for (side, net) in &nets {
        ensure!(
            head.nets.get(side).is_none_or(|before| before == net),
            "{name} holds a match of {side} with another net in the same file; choose another folder"
        );
    }
    for (side, files) in &programs {
        for (file, number) in files {
            let before = head.programs.get(side).and_then(|files| files.get(file));
            ensure!(
                before.is_none_or(|before| before == number),
                "{name} holds a match of {side} with another program: {file} has changed; choose \
                 another folder"
            );
        }
    }
    Ok(head)
}

/// Reads the games; half a line at the end, from a kill, is cut off.
fn read_games(file: &mut File, plan: &Plan) -> anyhow::Result<BTreeMap<Job, Finished>> {
    let mut bytes = Vec::new();
    file.seek(SeekFrom::Start(0))?;
    file.read_to_end(&mut bytes)?;
    let whole = bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end + 1);
    if whole < bytes.len() {
        file.set_len(whole as u64)?;
        bytes.truncate(whole);
    }
    parse_games(&String::from_utf8(bytes).context("it is no text")?, plan)
}

/// The games that a text holds, one a line.
pub(super) fn parse_games(text: &str, plan: &Plan) -> anyhow::Result<BTreeMap<Job, Finished>> {
    let mut games = BTreeMap::new();
    for (index, line) in text.lines().enumerate() {
        let number = index + 1;
        let game: Finished =
            serde_json::from_str(line).with_context(|| format!("line {number}"))?;
        ensure!(
            game.seat < plan.seats() && game.scores.len() == plan.seats(),
            "line {number}: the game has other seats"
        );
        check_record(&game, plan).with_context(|| format!("line {number}"))?;
        ensure!(
            games.insert(game.job(), game).is_none(),
            "line {number}: the game is there already"
        );
    }
    Ok(games)
}

/// Compares what a game says of itself with its record.
fn check_record(game: &Finished, plan: &Plan) -> anyhow::Result<()> {
    match plan.setup.sets().is_empty() {
        true => check_record_of::<Base>(game, plan),
        false => check_record_of::<AllSets>(game, plan),
    }
}

fn check_record_of<E: PlayedEdition>(game: &Finished, plan: &Plan) -> anyhow::Result<()> {
    let record: Record<Position<E>> = game.record.parse()?;
    ensure!(record.setup == E::setup_of(&plan.setup), "the game has another setup");
    let end = record.replay()?;
    ensure!(end.scores().as_slice() == game.scores, "the scores are not those of the record");
    let over = end.turn() == Turn::Over;
    ensure!(over != game.forfeit.is_some(), "the record is not that of a finished game");
    Ok(())
}

/// Writes beside and renames, so that a kill never leaves half a file.
///
/// # Errors
/// If it cannot be written.
pub(crate) fn write_whole(path: &Path, text: &str) -> anyhow::Result<()> {
    let part = part(path);
    let write = || fs::write(&part, text).and_then(|()| fs::rename(&part, path));
    write().with_context(|| format!("can't write {}", path.display()))
}

/// Refuses a file that could not be written, before hours are spent on what is to be in it.
///
/// # Errors
/// If it cannot be written.
pub(crate) fn check_writable(path: &Path) -> anyhow::Result<()> {
    let name = path.display();
    ensure!(!path.is_dir(), "can't write {name}: it is a folder");
    let part = part(path);
    File::create(&part)
        .and_then(|_| fs::remove_file(&part))
        .with_context(|| format!("can't write {name}"))
}

/// Refuses files that could not be written, and one that two outputs would be written to.
///
/// # Errors
/// If one of them cannot be written, or is named twice.
pub(crate) fn check_all_writable<const N: usize>(
    outputs: [&Option<PathBuf>; N],
) -> anyhow::Result<()> {
    let paths: Vec<&PathBuf> = outputs.into_iter().flatten().collect();
    for (index, path) in paths.iter().enumerate() {
        let name = path.display();
        ensure!(!paths[..index].contains(path), "two outputs go to {name}: name two files");
        check_writable(path)?;
    }
    Ok(())
}

/// Refuses a file to which nothing could be added.
///
/// # Errors
/// If it cannot be written.
pub(crate) fn check_appendable(path: &Path) -> anyhow::Result<()> {
    let (name, is_new) = (path.display(), !path.exists());
    File::options()
        .append(true)
        .create(true)
        .open(path)
        .and_then(|_| if is_new { fs::remove_file(path) } else { Ok(()) })
        .with_context(|| format!("can't write {name}"))
}

/// Whether a path is one of the files that a folder keeps its match in.
pub(crate) fn is_kept_at(folder: &Path, path: &Path) -> bool {
    let inside = |parent: &Path| {
        let parent = if parent.as_os_str().is_empty() { Path::new(".") } else { parent };
        matches!((parent.canonicalize(), folder.canonicalize()), (Ok(a), Ok(b)) if a == b)
    };
    path.parent().is_some_and(inside)
        && path.file_name().is_some_and(|name| name == HEAD || name == GAMES)
}

fn part(path: &Path) -> PathBuf {
    let mut part = path.as_os_str().to_owned();
    part.push(".part");
    part.into()
}

/// A number that another build of this program does not have.
fn build() -> &'static str {
    static BUILD: OnceLock<String> = OnceLock::new();
    BUILD.get_or_init(|| {
        let bytes = std::env::current_exe().and_then(fs::read).unwrap_or_default();
        format!("{:016x}", fingerprint(&bytes))
    })
}

/// FNV-1a, eight bytes at a time.
pub(crate) fn fingerprint(bytes: &[u8]) -> u64 {
    fingerprint_on(FINGERPRINT_OF_NOTHING, bytes)
}

/// What a fingerprint starts with.
pub(super) const FINGERPRINT_OF_NOTHING: u64 = 0xcbf2_9ce4_8422_2325;

/// The fingerprint of a text that goes on with these bytes; all parts but the last have a multiple of
/// eight.
pub(super) fn fingerprint_on(before: u64, bytes: &[u8]) -> u64 {
    bytes.chunks(8).fold(before, |hash, chunk| {
        let mut word = [0; 8];
        word[..chunk.len()].copy_from_slice(chunk);
        (hash ^ u64::from_le_bytes(word)).wrapping_mul(0x0000_0100_0000_01b3).rotate_left(23)
    })
}
