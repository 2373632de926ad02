//! A stream whose other end may not leave what is sent to it unread for ever.

use std::io::{self, ErrorKind, IoSlice};
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Sleep, sleep};

/// A stream that fails when nothing could be written for so long, and what is kept as long as it
/// is open.
pub(super) struct WriteTimeoutStream<S, K> {
    stream: S,
    timeout: Duration,
    /// When the timeout ends; nothing while the other end reads.
    ends: Option<Pin<Box<Sleep>>>,
    _kept: K,
}

impl<S, K> WriteTimeoutStream<S, K> {
    pub(super) fn new(stream: S, timeout: Duration, kept: K) -> Self {
        Self { stream, timeout, ends: None, _kept: kept }
    }

    /// What a write came to: one that cannot go on fails when the timeout ends.
    fn check(
        &mut self,
        context: &mut Context<'_>,
        write: Poll<io::Result<usize>>,
    ) -> Poll<io::Result<usize>> {
        if write.is_ready() {
            self.ends = None;
            return write;
        }
        let timeout = self.timeout;
        let ends = self.ends.get_or_insert_with(|| Box::pin(sleep(timeout)));
        ends.as_mut().poll(context).map(|()| {
            Err(io::Error::new(ErrorKind::TimedOut, "the client does not read what it is sent"))
        })
    }
}

impl<S: AsyncRead + Unpin, K: Unpin> AsyncRead for WriteTimeoutStream<S, K> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        into: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, into)
    }
}

impl<S: AsyncWrite + Unpin, K: Unpin> AsyncWrite for WriteTimeoutStream<S, K> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let write = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.check(context, write)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        parts: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let write = Pin::new(&mut self.stream).poll_write_vectored(context, parts);
        self.check(context, write)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::io::{AsyncReadExt, AsyncWriteExt, duplex};

    #[tokio::test]
    async fn who_does_not_read_is_given_up() {
        let (near, _far) = duplex(16);
        let mut stream = WriteTimeoutStream::new(near, Duration::from_millis(50), ());
        stream.write_all(&[1; 16]).await.unwrap();
        let given_up = stream.write_all(&[2; 1]).await.unwrap_err();
        assert_eq!(given_up.kind(), ErrorKind::TimedOut);
    }

    #[tokio::test]
    async fn who_reads_slowly_gets_everything() {
        let (near, mut far) = duplex(4);
        let mut stream = WriteTimeoutStream::new(near, Duration::from_secs(5), ());
        let reading = tokio::spawn(async move {
            let mut all = Vec::new();
            let mut some = [0; 4];
            while all.len() < 40 {
                sleep(Duration::from_millis(5)).await;
                let read = far.read(&mut some).await.unwrap();
                all.extend_from_slice(&some[..read]);
            }
            all
        });
        stream.write_all(&[7; 40]).await.unwrap();
        assert_eq!(reading.await.unwrap(), [7; 40]);
    }
}
