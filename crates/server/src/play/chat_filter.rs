//! What is not to be said at a table: a short list of words, seen through common disguises.

/// Words that are masked wherever they stand alone, in any case and with letters repeated or
/// written as digits. Short on purpose: muting is for the rest.
const WORDS: [&str; 24] = [
    "arse",
    "arsehole",
    "asshole",
    "bastard",
    "bitch",
    "bollocks",
    "bullshit",
    "cock",
    "cunt",
    "dick",
    "dickhead",
    "faggot",
    "fuck",
    "fucker",
    "fucking",
    "motherfucker",
    "nigga",
    "nigger",
    "piss",
    "retard",
    "shit",
    "slut",
    "twat",
    "whore",
];

/// The text with such words masked: the first letter stays, every other is a `*`. Line ends and
/// other control characters become spaces.
#[must_use]
pub fn clean(text: &str) -> String {
    let mut clean = String::with_capacity(text.len());
    let mut word = String::new();
    for c in text.chars().map(|c| if c.is_control() { ' ' } else { c }) {
        if is_part(c) {
            word.push(c);
        } else {
            push_word(&mut clean, &word);
            word.clear();
            clean.push(c);
        }
    }
    push_word(&mut clean, &word);
    clean
}

/// Whether a character may be a part of a word, in disguise too.
fn is_part(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '@' | '$' | '*' | '!')
}

fn push_word(clean: &mut String, word: &str) {
    // What ends a sentence is no letter in disguise.
    let core = word.trim_end_matches(['!', '*']);
    if is_masked(word) || is_masked(core) {
        let masked = if is_masked(core) { core } else { word };
        let mut chars = masked.chars();
        clean.extend(chars.next());
        clean.extend(chars.map(|_| '*'));
        clean.push_str(&word[masked.len()..]);
    } else {
        clean.push_str(word);
    }
}

fn is_masked(word: &str) -> bool {
    let plain: Vec<char> = word.chars().flat_map(char::to_lowercase).map(plain).collect();
    WORDS.iter().any(|listed| matches(&plain, listed))
}

/// Whether letters spell a listed word (or its plural), each once or repeated.
fn matches(letters: &[char], listed: &str) -> bool {
    let singular = runs_match(letters, listed);
    singular || letters.strip_suffix(&['s']).is_some_and(|rest| runs_match(rest, listed))
}

fn runs_match(letters: &[char], listed: &str) -> bool {
    let mut wanted = listed.chars().peekable();
    let mut at = letters;
    while let Some(c) = wanted.next() {
        let mut least = 1;
        while wanted.next_if_eq(&c).is_some() {
            least += 1;
        }
        let run = at.iter().take_while(|letter| **letter == c).count();
        if run < least {
            return false;
        }
        at = &at[run..];
    }
    at.is_empty()
}

/// The letter that a character stands for.
const fn plain(c: char) -> char {
    match c {
        '0' => 'o',
        '1' | '!' => 'i',
        '3' => 'e',
        '4' | '@' => 'a',
        '5' | '$' => 's',
        '7' => 't',
        'á' | 'à' | 'ä' | 'â' => 'a',
        'é' | 'è' | 'ë' | 'ê' => 'e',
        'í' | 'ì' | 'ï' | 'î' => 'i',
        'ó' | 'ò' | 'ö' | 'ô' => 'o',
        'ú' | 'ù' | 'ü' | 'û' => 'u',
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_masked_in_any_disguise() {
        for (said, shown) in [
            ("shit", "s***"),
            ("Oh SHIT!", "Oh S***!"),
            ("sh1t happens", "s*** happens"),
            ("$hit", "$***"),
            ("fuuuuck", "f******"),
            ("what a b!tch, really", "what a b****, really"),
            ("bastards", "b*******"),
            ("füçk", "füçk"),
            ("fück", "f***"),
        ] {
            assert_eq!(clean(said), shown);
        }
    }

    #[test]
    fn innocent_words_are_left_alone() {
        for said in [
            "Scunthorpe, cocktails and a peacock in the classic shirt",
            "well played! 3 points, 2*3 = 6, a@b.example",
            "Dickens analysed the pass; assume nothing",
            "すごい 🎲 well done!!!",
            "",
        ] {
            assert_eq!(clean(said), said);
        }
    }

    #[test]
    fn lines_cannot_be_forged_and_long_texts_take_no_time() {
        assert_eq!(clean("a\nb\u{1b}[2J"), "a b [2J");
        let long = "f".repeat(200_000);
        assert_eq!(clean(&long), long);
    }
}
