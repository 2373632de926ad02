//! What a rated game would do to a rating: the same formula as after the game, asked before it.

use super::{Pool, Rating, settle, store};
use crate::error::Refusal;
use crate::people::accounts::find_user;
use crate::play::games;
use crate::storage::db::Db;
use crate::wire::{Stakes, Wanted};

/// The game that is rated.
const GAME: &str = "carcassonne";

/// How well an opponent who is not known yet is taken to be known.
const USUAL_DEVIATION: f64 = 80.0;

/// What a rated game at these seats would do to a user's rating. An open seat is taken as somebody
/// of the user's own rating.
///
/// # Errors
/// If there is no such game of two to six, or nobody has a name that is wanted.
pub async fn stakes(db: &Db, user: &str, seats: &[Wanted]) -> Result<Stakes, Refusal> {
    let pool = Pool::of(seats.len()).filter(|_| seats.len() <= 6);
    let pool = pool.ok_or_else(|| Refusal::Bad("a rated game has 2 to 6 seats".to_owned()))?;
    if seats.iter().filter(|seat| **seat == Wanted::Me).count() != 1 {
        return Err(Refusal::Bad("exactly one seat is {\"kind\": \"me\"}".to_owned()));
    }
    let mine = read(db, &format!("user:{user}"), pool).await?;
    let mut table = vec![mine];
    let mut assumed = false;
    for seat in seats {
        table.push(match seat {
            Wanted::Me => continue,
            Wanted::Open => {
                assumed = true;
                Rating { deviation: USUAL_DEVIATION, ..mine }
            }
            Wanted::Bot { bot } => {
                games::check_bot(GAME, bot)?;
                read(db, &format!("bot:{GAME}/{bot}"), pool).await?
            }
            Wanted::User { name } => {
                let found = find_user(db, name).await?.ok_or_else(|| {
                    Refusal::Bad(format!("nobody is called '{}'", game::excerpt(name, 40)))
                })?;
                read(db, &format!("user:{}", found.id), pool).await?
            }
        });
    }
    let others = table.len() - 1;
    let change = |own: usize, other: usize| {
        let mut places = vec![other; others + 1];
        places[0] = own;
        settle(&table, &places)[0].rating - mine.rating
    };
    Ok(Stakes {
        rating: mine.rating,
        win: change(1, 2),
        draw: change(1, 1),
        lose: change(others + 1, 1),
        assumed,
    })
}

async fn read(db: &Db, subject: &str, pool: Pool) -> Result<Rating, Refusal> {
    let mut connection = db.pool.acquire().await?;
    Ok(store::read(&mut connection, subject, pool).await?.rating)
}
