//! The file of labels in the folder of a run with two-ply targets.

use anyhow::Context;
use bots::train::Trainer;
use std::fs::{self, File};
use std::io::{BufWriter, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// What is kept of the labels: they take far longer to make than to learn from.
pub(super) struct LabelFile {
    path: PathBuf,
    file: File,
    /// How many games it holds.
    written: usize,
}

impl LabelFile {
    /// Gives a run the labels that were made before it was stopped. `None` if it needs none.
    pub(super) fn take_up(folder: &Path, trainer: &mut Trainer) -> anyhow::Result<Option<Self>> {
        let Some(header) = trainer.labels_header() else { return Ok(None) };
        let path = folder.join("labels");
        let name = path.display();
        let text = match path.exists() {
            true => fs::read_to_string(&path).with_context(|| format!("can't read {name}"))?,
            false => String::new(),
        };
        trainer.read_labels(&text).with_context(|| name.to_string())?;
        let whole = match trainer.labels().is_empty() {
            true => 0,
            false => text.rfind('\n').map_or(0, |end| end + 1),
        };
        let open = || {
            let mut file = File::options().write(true).create(true).truncate(false).open(&path)?;
            // A line that was cut off is written again.
            file.set_len(whole as u64)?;
            file.seek(SeekFrom::End(0))?;
            if whole == 0 {
                writeln!(file, "{header}")?;
            }
            Ok::<_, std::io::Error>(file)
        };
        let file = open().with_context(|| format!("can't write {name}"))?;
        Ok(Some(Self { file, written: trainer.labels().len(), path }))
    }

    /// Adds what was labelled since.
    pub(super) fn add(&mut self, trainer: &Trainer) -> anyhow::Result<()> {
        let games = trainer.labels().iter().enumerate().skip(self.written);
        let mut out = BufWriter::new(&self.file);
        for (number, labels) in games {
            writeln!(out, "{}", labels.line(number as u64))
                .with_context(|| format!("can't write {}", self.path.display()))?;
        }
        out.flush().with_context(|| format!("can't write {}", self.path.display()))?;
        drop(out);
        self.written = trainer.labels().len();
        Ok(())
    }
}
