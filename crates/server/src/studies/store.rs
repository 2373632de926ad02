//! Studies in the database.

use crate::error::Refusal;
use crate::storage::db::Db;
use crate::time;
use crate::wire::{ChapterInfo, StudyVisibility};
use sqlx::any::AnyRow;
use sqlx::{Any, Row, Transaction};

/// A study as it is stored, without its chapters.
pub(super) struct Stored {
    pub(super) id: String,
    pub(super) owner: String,
    /// The owner's name now.
    pub(super) name: String,
    pub(super) title: String,
    pub(super) visibility: StudyVisibility,
    pub(super) changed: i64,
}

/// A chapter as it is stored.
pub(super) struct StoredChapter {
    pub(super) info: ChapterInfo,
    /// Setup, moves and comments in our notation.
    pub(super) body: String,
}

/// Who changes a chapter, and whether that takes something away.
pub(super) struct Change<'a> {
    pub(super) user: &'a str,
    /// Whether that is the study's owner.
    pub(super) by_owner: bool,
    pub(super) takes_away: bool,
    /// The chapter before, if its text changes.
    pub(super) before: Option<&'a StoredChapter>,
}

/// An earlier text of a chapter as it is stored.
pub(super) struct StoredEarlier {
    pub(super) version: u64,
    /// When it was changed, and the name now of who did that, if they are still there.
    pub(super) at: i64,
    pub(super) by: Option<String>,
    pub(super) whose: Whose,
    pub(super) moves: usize,
    pub(super) body: String,
}

/// Whose text an earlier one is. What is somebody's is given up last.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Whose {
    /// Several people changed it.
    Nobodys = 0,
    /// As the study's owner left it, before somebody else changed it.
    Owners = 1,
    /// As somebody else added it as a new chapter.
    Adders = 2,
}

/// The version of a chapter that its owner left, where the owner never had a hand in it.
const NEVER_THE_OWNERS: i64 = -1;

/// The most earlier texts of a chapter, and the most bytes of them together. The latest is always kept.
const MOST_EARLIER: usize = 20;
const LARGEST_EARLIER: i64 = 512 * 1024;

fn word(visibility: StudyVisibility) -> &'static str {
    match visibility {
        StudyVisibility::Private => "private",
        StudyVisibility::Link => "link",
        StudyVisibility::Shared => "shared",
    }
}

fn visibility(stored: &str) -> StudyVisibility {
    match stored {
        "link" => StudyVisibility::Link,
        "shared" => StudyVisibility::Shared,
        // What this version does not know is shown to the fewest.
        _ => StudyVisibility::Private,
    }
}

fn study(row: &AnyRow) -> Result<Stored, sqlx::Error> {
    Ok(Stored {
        id: row.try_get("id")?,
        owner: row.try_get("owner")?,
        name: row.try_get("name")?,
        title: row.try_get("title")?,
        visibility: visibility(row.try_get("visibility")?),
        changed: row.try_get("changed")?,
    })
}

fn info(row: &AnyRow) -> Result<ChapterInfo, sqlx::Error> {
    let [version, moves]: [i64; 2] = [row.try_get("version")?, row.try_get("moves")?];
    Ok(ChapterInfo {
        id: row.try_get("id")?,
        title: row.try_get("title")?,
        version: version.unsigned_abs(),
        moves: usize::try_from(moves).unwrap_or_default(),
    })
}

pub(super) async fn find(db: &Db, id: &str) -> Result<Option<Stored>, sqlx::Error> {
    let sql = "SELECT s.id, s.owner, u.name, s.title, s.visibility, s.changed FROM studies s \
               JOIN users u ON u.id = s.owner WHERE s.id = $1";
    let row = sqlx::query(sql).bind(id).fetch_optional(&db.pool).await?;
    row.as_ref().map(study).transpose()
}

/// The studies of somebody, the one changed last first.
pub(super) async fn of_owner(db: &Db, owner: &str) -> Result<Vec<Stored>, sqlx::Error> {
    let sql = "SELECT s.id, s.owner, u.name, s.title, s.visibility, s.changed FROM studies s \
               JOIN users u ON u.id = s.owner WHERE s.owner = $1 ORDER BY s.changed DESC, s.id";
    let rows = sqlx::query(sql).bind(owner).fetch_all(&db.pool).await?;
    rows.iter().map(study).collect()
}

pub(super) async fn count(db: &Db, owner: &str) -> Result<i64, sqlx::Error> {
    let sql = "SELECT COUNT(*) FROM studies WHERE owner = $1";
    sqlx::query_scalar(sql).bind(owner).fetch_one(&db.pool).await
}

pub(super) async fn chapter_list(db: &Db, study: &str) -> Result<Vec<ChapterInfo>, sqlx::Error> {
    let sql = "SELECT id, title, version, moves FROM study_chapters WHERE study_id = $1 \
               ORDER BY place, id";
    let rows = sqlx::query(sql).bind(study).fetch_all(&db.pool).await?;
    rows.iter().map(info).collect()
}

/// The chapters of all studies of somebody, each with the id of its study.
pub(super) async fn chapter_lists(
    db: &Db,
    owner: &str,
) -> Result<Vec<(String, ChapterInfo)>, sqlx::Error> {
    let sql = "SELECT c.study_id, c.id, c.title, c.version, c.moves FROM study_chapters c \
               JOIN studies s ON s.id = c.study_id WHERE s.owner = $1 ORDER BY c.place, c.id";
    let rows = sqlx::query(sql).bind(owner).fetch_all(&db.pool).await?;
    rows.iter().map(|row| Ok((row.try_get("study_id")?, info(row)?))).collect()
}

pub(super) async fn chapters(db: &Db, study: &str) -> Result<Vec<StoredChapter>, sqlx::Error> {
    let sql = "SELECT id, title, version, moves, body FROM study_chapters WHERE study_id = $1 \
               ORDER BY place, id";
    let rows = sqlx::query(sql).bind(study).fetch_all(&db.pool).await?;
    rows.iter().map(stored_chapter).collect()
}

pub(super) async fn chapter(
    db: &Db,
    study: &str,
    id: &str,
) -> Result<Option<StoredChapter>, sqlx::Error> {
    let sql = "SELECT id, title, version, moves, body FROM study_chapters \
               WHERE study_id = $1 AND id = $2";
    let row = sqlx::query(sql).bind(study).bind(id).fetch_optional(&db.pool).await?;
    row.as_ref().map(stored_chapter).transpose()
}

fn stored_chapter(row: &AnyRow) -> Result<StoredChapter, sqlx::Error> {
    Ok(StoredChapter { info: info(row)?, body: row.try_get("body")? })
}

/// Keeps a new study with its chapters.
pub(super) async fn insert(
    db: &Db,
    study: &Stored,
    chapters: &[StoredChapter],
) -> Result<(), Refusal> {
    let mut changes = db.begin().await?;
    let sql = "INSERT INTO studies (id, owner, title, visibility, made, changed) \
               VALUES ($1, $2, $3, $4, $5, $5)";
    sqlx::query(sql)
        .bind(&study.id)
        .bind(&study.owner)
        .bind(&study.title)
        .bind(word(study.visibility))
        .bind(study.changed)
        .execute(&mut *changes)
        .await?;
    insert_chapters(&mut changes, &study.id, 0, chapters, true).await?;
    changes.commit().await?;
    Ok(())
}

async fn insert_chapters(
    changes: &mut Transaction<'static, Any>,
    study: &str,
    first: i64,
    chapters: &[StoredChapter],
    by_owner: bool,
) -> Result<(), sqlx::Error> {
    let sql = "INSERT INTO study_chapters (study_id, id, place, title, body, moves, version, \
               owner_version) VALUES ($1, $2, $3, $4, $5, $6, 1, $7)";
    for (chapter, place) in chapters.iter().zip(first..) {
        sqlx::query(sql)
            .bind(study)
            .bind(&chapter.info.id)
            .bind(place)
            .bind(&chapter.info.title)
            .bind(&chapter.body)
            .bind(i64::try_from(chapter.info.moves).unwrap_or(i64::MAX))
            .bind(if by_owner { 1 } else { NEVER_THE_OWNERS })
            .execute(&mut **changes)
            .await?;
    }
    Ok(())
}

async fn touch(changes: &mut Transaction<'static, Any>, study: &str) -> Result<(), sqlx::Error> {
    let sql = "UPDATE studies SET changed = $1 WHERE id = $2";
    sqlx::query(sql).bind(time::now()).bind(study).execute(&mut **changes).await?;
    Ok(())
}

/// Adds chapters behind the others; answers whether there was room for them.
pub(super) async fn add_chapters(
    db: &Db,
    study: &str,
    chapters: &[StoredChapter],
    by_owner: bool,
    most: usize,
) -> Result<bool, Refusal> {
    let mut changes = db.begin().await?;
    // Whoever adds at the same time waits here, or is refused and tries again.
    touch(&mut changes, study).await?;
    let sql = "SELECT COUNT(*), COALESCE(MAX(place), -1) FROM study_chapters WHERE study_id = $1";
    let row = sqlx::query(sql).bind(study).fetch_one(&mut *changes).await?;
    let [count, last]: [i64; 2] = [row.try_get(0)?, row.try_get(1)?];
    if usize::try_from(count).unwrap_or(most) + chapters.len() > most {
        return Ok(false);
    }
    insert_chapters(&mut changes, study, last + 1, chapters, by_owner).await?;
    changes.commit().await?;
    Ok(true)
}

/// Keeps a changed chapter if nobody else changed it meanwhile; answers whether it did. The text before is kept
/// too if something is taken away, or if somebody else changes what the owner left.
pub(super) async fn replace_chapter(
    db: &Db,
    study: &str,
    changed: &StoredChapter,
    change: &Change<'_>,
) -> Result<bool, Refusal> {
    let mut changes = db.begin().await?;
    let sql = "UPDATE study_chapters SET body = $1, moves = $2, title = $3, version = version + 1, \
               owner_version = CASE WHEN $4 = 1 THEN version + 1 ELSE owner_version END \
               WHERE study_id = $5 AND id = $6 AND version = $7";
    let replaced = sqlx::query(sql)
        .bind(&changed.body)
        .bind(i64::try_from(changed.info.moves).unwrap_or(i64::MAX))
        .bind(&changed.info.title)
        .bind(i64::from(change.by_owner))
        .bind(study)
        .bind(&changed.info.id)
        .bind(stored_number(changed.info.version))
        .execute(&mut *changes)
        .await?;
    if replaced.rows_affected() == 0 {
        return Ok(false);
    }
    if let Some(before) = change.before {
        let whose = match change.by_owner {
            true => Whose::Nobodys,
            false => whose_text(&mut changes, study, &changed.info.id).await?,
        };
        if change.takes_away || whose != Whose::Nobodys {
            keep_earlier(&mut changes, study, before, change.user, whose).await?;
            give_up_earlier(&mut changes, study, &changed.info.id).await?;
        }
    }
    touch(&mut changes, study).await?;
    changes.commit().await?;
    Ok(true)
}

/// Takes a chapter away unless it is the last; answers whether it did.
pub(super) async fn remove_chapter(db: &Db, study: &str, id: &str) -> Result<bool, Refusal> {
    let mut changes = db.begin().await?;
    touch(&mut changes, study).await?;
    let sql = "DELETE FROM study_chapters WHERE study_id = $1 AND id = $2 AND \
               (SELECT COUNT(*) FROM study_chapters WHERE study_id = $1) > 1";
    let removed = sqlx::query(sql).bind(study).bind(id).execute(&mut *changes).await?;
    if removed.rows_affected() == 0 {
        return Ok(false);
    }
    let sql = "DELETE FROM study_earlier WHERE study_id = $1 AND chapter_id = $2";
    sqlx::query(sql).bind(study).bind(id).execute(&mut *changes).await?;
    changes.commit().await?;
    Ok(true)
}

fn stored_number(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

/// Whose text a chapter had until somebody other than the owner changed it now: the owner's, if nothing was kept
/// since the owner's last change.
async fn whose_text(
    changes: &mut Transaction<'static, Any>,
    study: &str,
    chapter: &str,
) -> Result<Whose, sqlx::Error> {
    let sql = "SELECT c.owner_version, (SELECT COUNT(*) FROM study_earlier e \
               WHERE e.study_id = c.study_id AND e.chapter_id = c.id \
               AND e.version >= c.owner_version) FROM study_chapters c \
               WHERE c.study_id = $1 AND c.id = $2";
    let (owner_version, kept_since): (i64, i64) =
        sqlx::query_as(sql).bind(study).bind(chapter).fetch_one(&mut **changes).await?;
    Ok(match (owner_version, kept_since) {
        (NEVER_THE_OWNERS, 0) => Whose::Adders,
        (_, 0) => Whose::Owners,
        _ => Whose::Nobodys,
    })
}

async fn keep_earlier(
    changes: &mut Transaction<'static, Any>,
    study: &str,
    before: &StoredChapter,
    changed_by: &str,
    whose: Whose,
) -> Result<(), sqlx::Error> {
    let sql = "INSERT INTO study_earlier (study_id, chapter_id, version, body, bytes, moves, at, \
               user_id, owners) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)";
    sqlx::query(sql)
        .bind(study)
        .bind(&before.info.id)
        .bind(stored_number(before.info.version))
        .bind(&before.body)
        .bind(i64::try_from(before.body.len()).unwrap_or(i64::MAX))
        .bind(i64::try_from(before.info.moves).unwrap_or(i64::MAX))
        .bind(time::now())
        .bind(changed_by)
        .bind(whose as i64)
        .execute(&mut **changes)
        .await?;
    Ok(())
}

/// Gives up the oldest texts where there are too many, those that are somebody's last of all: others cannot push
/// them out, however much they change, nor does the owner who repairs it.
async fn give_up_earlier(
    changes: &mut Transaction<'static, Any>,
    study: &str,
    chapter: &str,
) -> Result<(), sqlx::Error> {
    let sql = "SELECT version, bytes FROM study_earlier WHERE study_id = $1 AND chapter_id = $2 \
               ORDER BY CASE WHEN owners = 0 THEN 0 ELSE 1 END, version";
    let rows: Vec<(i64, i64)> =
        sqlx::query_as(sql).bind(study).bind(chapter).fetch_all(&mut **changes).await?;
    let latest = rows.iter().map(|(version, _)| *version).max();
    let (mut count, mut bytes) = (rows.len(), rows.iter().map(|(_, bytes)| bytes).sum::<i64>());
    for (version, size) in rows.iter().filter(|(version, _)| Some(*version) != latest) {
        if count <= MOST_EARLIER && bytes <= LARGEST_EARLIER {
            break;
        }
        let sql =
            "DELETE FROM study_earlier WHERE study_id = $1 AND chapter_id = $2 AND version = $3";
        sqlx::query(sql).bind(study).bind(chapter).bind(version).execute(&mut **changes).await?;
        (count, bytes) = (count - 1, bytes - size);
    }
    Ok(())
}

/// The earlier texts of a chapter, the latest first.
pub(super) async fn earlier_texts(
    db: &Db,
    study: &str,
    chapter: &str,
) -> Result<Vec<StoredEarlier>, sqlx::Error> {
    let sql = "SELECT e.version, e.at, e.owners, e.moves, e.body, u.name FROM study_earlier e \
               LEFT JOIN users u ON u.id = e.user_id \
               WHERE e.study_id = $1 AND e.chapter_id = $2 ORDER BY e.version DESC";
    let rows = sqlx::query(sql).bind(study).bind(chapter).fetch_all(&db.pool).await?;
    let text = |row: &AnyRow| {
        let [version, moves]: [i64; 2] = [row.try_get("version")?, row.try_get("moves")?];
        let whose = match row.try_get("owners")? {
            0i64 => Whose::Nobodys,
            1 => Whose::Owners,
            _ => Whose::Adders,
        };
        Ok(StoredEarlier {
            version: version.unsigned_abs(),
            at: row.try_get("at")?,
            by: row.try_get("name")?,
            whose,
            moves: usize::try_from(moves).unwrap_or_default(),
            body: row.try_get("body")?,
        })
    };
    rows.iter().map(text).collect()
}

pub(super) async fn earlier_text(
    db: &Db,
    study: &str,
    chapter: &str,
    version: u64,
) -> Result<Option<String>, sqlx::Error> {
    let sql = "SELECT body FROM study_earlier \
               WHERE study_id = $1 AND chapter_id = $2 AND version = $3";
    let text = sqlx::query_scalar(sql).bind(study).bind(chapter).bind(stored_number(version));
    text.fetch_optional(&db.pool).await
}

pub(super) async fn set(
    db: &Db,
    study: &str,
    title: &str,
    visible: StudyVisibility,
) -> Result<(), sqlx::Error> {
    let sql = "UPDATE studies SET title = $1, visibility = $2, changed = $3 WHERE id = $4";
    let change = sqlx::query(sql).bind(title).bind(word(visible)).bind(time::now()).bind(study);
    change.execute(&db.pool).await?;
    Ok(())
}

pub(super) async fn remove(db: &Db, study: &str) -> Result<(), Refusal> {
    let mut changes = db.begin().await?;
    for sql in [
        "DELETE FROM study_earlier WHERE study_id = $1",
        "DELETE FROM study_chapters WHERE study_id = $1",
        "DELETE FROM studies WHERE id = $1",
    ] {
        sqlx::query(sql).bind(study).execute(&mut *changes).await?;
    }
    changes.commit().await?;
    Ok(())
}
