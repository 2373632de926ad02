//! What a rated game would do to a rating: the same formula as after the game, asked before it.

use super::{Pool, Rating, settle, store};
use crate::error::Refusal;
use crate::games;
use crate::people::accounts::find_user;
use crate::storage::db::Db;
use crate::wire::{SeatRequest, Stakes, StakesOf};

/// The game that is rated.
const GAME: &str = "carcassonne";

/// How well an opponent who is not known yet is taken to be known.
const USUAL_DEVIATION: f64 = 80.0;

/// What a rated game with these options at these seats would do to a user's rating. An open seat is
/// taken as somebody of the user's own rating.
///
/// # Errors
/// If there is no such game of two to six, or nobody has a name that is wanted.
pub async fn stakes(db: &Db, user: &str, asked: &StakesOf) -> Result<Stakes, Refusal> {
    let StakesOf { seats, options } = asked;
    if !(2..=6).contains(&seats.len()) {
        return Err(Refusal::Bad("a rated game has 2 to 6 seats".to_owned()));
    }
    let (setup, _) = games::read_setup(GAME, options, seats.len())?;
    let pool = Pool::of(&setup, seats.len()).ok_or(Refusal::Internal)?;
    if seats.iter().filter(|seat| **seat == SeatRequest::Me).count() != 1 {
        return Err(Refusal::Bad("exactly one seat is {\"kind\": \"me\"}".to_owned()));
    }
    let mine = read(db, &format!("user:{user}"), pool).await?;
    let mut table = vec![mine];
    let mut assumed = false;
    for seat in seats {
        table.push(match seat {
            SeatRequest::Me => continue,
            SeatRequest::Open => {
                assumed = true;
                Rating { deviation: USUAL_DEVIATION, ..mine }
            }
            SeatRequest::Bot { bot } => {
                games::check_bot(GAME, &setup, bot)?;
                read(db, &format!("bot:{GAME}/{bot}"), pool).await?
            }
            SeatRequest::User { name } => {
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
        pool: pool.name(),
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
