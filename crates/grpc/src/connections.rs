//! Connections as they come: so many in all and from one address, and none that stays silent.

use crate::bounds::Bounds;
use server::address::{ClientAddress, Network};
use server::limits::connections::{Connections, Open};
use std::io::{self, ErrorKind};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, mpsc};
use tokio::time::{Sleep, sleep};
use tokio_stream::wrappers::ReceiverStream;
use tonic::transport::server::{Connected, TcpConnectInfo};

/// How many bytes every connection of HTTP/2 begins with; who has sent them is asked later whether it lives.
const BEGINNING: usize = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".len();

/// A connection with its place.
pub(crate) struct Connection {
    stream: TcpStream,
    /// Until when the beginning must have come; none after it did.
    opening: Option<Pin<Box<Sleep>>>,
    /// The bytes that came in that time.
    heard: usize,
    _place: OwnedSemaphorePermit,
    _of_address: Option<Open>,
}

/// The connections that a listener accepts. Those beyond the bounds are closed at once.
pub(crate) fn accepted(
    listener: TcpListener,
    bounds: &Bounds,
    proxies: Vec<Network>,
) -> ReceiverStream<io::Result<Connection>> {
    let (send, receive) = mpsc::channel(16);
    let in_all = Arc::new(Semaphore::new(bounds.connections));
    let by_address = Connections::new(bounds.connections_per_address);
    let opening = bounds.opening;
    tokio::spawn(async move {
        loop {
            let next = tokio::select! {
                () = send.closed() => return,
                next = listener.accept() => next,
            };
            let Ok((stream, peer)) = next else {
                // The process may have no descriptor left for a moment.
                sleep(Duration::from_millis(100)).await;
                continue;
            };
            let Ok(place) = Arc::clone(&in_all).try_acquire_owned() else { continue };
            let is_proxy = proxies.iter().any(|network| network.contains(peer.ip()));
            let of_address = match is_proxy {
                true => None,
                false => match by_address.open(ClientAddress(peer.ip())) {
                    Ok(open) => Some(open),
                    Err(_) => continue,
                },
            };
            // Answers are small and waited for.
            let _ = stream.set_nodelay(true);
            let opening = Some(Box::pin(sleep(opening)));
            let connection =
                Connection { stream, opening, heard: 0, _place: place, _of_address: of_address };
            if send.send(Ok(connection)).await.is_err() {
                return;
            }
        }
    });
    ReceiverStream::new(receive)
}

impl Connected for Connection {
    type ConnectInfo = TcpConnectInfo;

    fn connect_info(&self) -> TcpConnectInfo {
        self.stream.connect_info()
    }
}

impl AsyncRead for Connection {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        if let Some(opening) = &mut self.opening
            && opening.as_mut().poll(context).is_ready()
        {
            let silent = "the beginning of HTTP/2 did not come in time";
            return Poll::Ready(Err(io::Error::new(ErrorKind::TimedOut, silent)));
        }
        let before = buffer.filled().len();
        ready!(Pin::new(&mut self.stream).poll_read(context, buffer))?;
        if self.opening.is_some() {
            self.heard += buffer.filled().len() - before;
            if self.heard >= BEGINNING {
                self.opening = None;
            }
        }
        Poll::Ready(Ok(()))
    }
}

impl AsyncWrite for Connection {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write(context, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffers: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write_vectored(context, buffers)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }
}
