//! How a browser calls it: text goes in and out by two buffers in the module's memory.
//!
//! The page asks for room, writes a request there and calls; `told` is called with what comes on the
//! way, and the answer lies where `answer_at` says until the next call.

use std::cell::RefCell;

thread_local! {
    static REQUEST: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
    static ANSWER: RefCell<String> = const { RefCell::new(String::new()) };
}

#[link(wasm_import_module = "page")]
unsafe extern "C" {
    /// Something that comes before the answer.
    safe fn told(at: *const u8, length: usize);
}

/// Room for a request of so many bytes.
#[unsafe(no_mangle)]
extern "C" fn room(length: usize) -> *mut u8 {
    REQUEST.with_borrow_mut(|request| {
        request.clear();
        request.resize(length, 0);
        request.as_mut_ptr()
    })
}

/// Answers the request that was written; gives the length of the answer.
#[unsafe(no_mangle)]
extern "C" fn request() -> usize {
    let text = REQUEST.take();
    let tell = &mut |text: String| told(text.as_ptr(), text.len());
    keep(match std::str::from_utf8(&text) {
        Ok(text) => crate::answer(text, tell),
        Err(_) => crate::answer("", tell),
    })
}

/// Takes a net: its name of so many bytes and then its file were written.
#[unsafe(no_mangle)]
extern "C" fn net(name_length: usize) -> usize {
    let bytes = REQUEST.take();
    let (name, file) = bytes.split_at(name_length.min(bytes.len()));
    keep(crate::take_net(&String::from_utf8_lossy(name), file))
}

/// Where the last answer lies.
#[unsafe(no_mangle)]
extern "C" fn answer_at() -> *const u8 {
    ANSWER.with_borrow(|answer| answer.as_ptr())
}

fn keep(answer: String) -> usize {
    let length = answer.len();
    ANSWER.set(answer);
    length
}
