//! A client as any program would be: JSON over HTTP, text over WebSocket.

use futures_util::{SinkExt, StreamExt};
use reqwest::cookie::{CookieStore, Jar};
use reqwest::{Method, StatusCode};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::{Error, Message};
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async};

/// A client with its cookies, or with a token.
#[derive(Clone)]
pub struct Client {
    pub http: reqwest::Client,
    jar: Arc<Jar>,
    address: SocketAddr,
    token: Option<String>,
}

/// An answer that was read to its end.
#[derive(Debug)]
pub struct Answer {
    pub status: StatusCode,
    pub headers: reqwest::header::HeaderMap,
    pub text: String,
}

impl Client {
    pub fn new(address: SocketAddr) -> Self {
        let jar = Arc::new(Jar::default());
        let http = reqwest::Client::builder().cookie_provider(jar.clone()).no_proxy();
        let http = http.build().expect("a client can be made");
        Self { http, jar, address, token: None }
    }

    /// The same server with a token instead of cookies.
    pub fn with_token(&self, token: &str) -> Self {
        Self { token: Some(token.to_owned()), ..Self::new(self.address) }
    }

    /// The same person at a server that was started again at another address.
    pub fn moved_to(&self, address: SocketAddr) -> Self {
        let moved = Self { token: self.token.clone(), ..Self::new(address) };
        if let Some(cookie) = self.cookie() {
            let url = moved.url("/").parse().expect("a URL");
            moved.jar.add_cookie_str(&cookie, &url);
        }
        moved
    }

    pub fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    /// A request that can still be changed.
    pub fn request(&self, method: Method, path: &str) -> reqwest::RequestBuilder {
        let request = self.http.request(method, self.url(path));
        match &self.token {
            None => request,
            Some(token) => request.bearer_auth(token),
        }
    }

    pub async fn get(&self, path: &str) -> Answer {
        Answer::of(self.request(Method::GET, path)).await
    }

    pub async fn post(&self, path: &str, body: &impl Serialize) -> Answer {
        Answer::of(self.request(Method::POST, path).json(body)).await
    }

    pub async fn patch(&self, path: &str, body: &impl Serialize) -> Answer {
        Answer::of(self.request(Method::PATCH, path).json(body)).await
    }

    pub async fn delete(&self, path: &str, body: &impl Serialize) -> Answer {
        Answer::of(self.request(Method::DELETE, path).json(body)).await
    }

    /// The `Cookie` header that this client sends.
    pub fn cookie(&self) -> Option<String> {
        let url = self.url("/").parse().expect("a URL");
        self.jar.cookies(&url).map(|value| value.to_str().expect("a text").to_owned())
    }

    /// A socket to a path, with this client's cookie or token.
    pub async fn socket(&self, path: &str) -> Socket {
        self.try_socket(path, &[]).await.expect("the socket opens")
    }

    /// A socket with further headers, or why there is none.
    pub async fn try_socket(
        &self,
        path: &str,
        headers: &[(&'static str, &str)],
    ) -> Result<Socket, Box<Error>> {
        let url = format!("ws://{}{path}", self.address);
        let mut request = url.into_client_request().expect("a URL");
        if let Some(cookie) = self.cookie() {
            request.headers_mut().insert("cookie", cookie.parse().expect("a header"));
        }
        if let Some(token) = &self.token {
            let value = format!("Bearer {token}");
            request.headers_mut().insert("authorization", value.parse().expect("a header"));
        }
        for (name, value) in headers {
            request.headers_mut().insert(*name, value.parse().expect("a header"));
        }
        let (stream, _) = connect_async(request).await?;
        Ok(Socket(stream))
    }
}

impl Answer {
    /// Sends a request and reads the answer.
    pub async fn of(request: reqwest::RequestBuilder) -> Self {
        let response = request.send().await.expect("the server answers");
        let (status, headers) = (response.status(), response.headers().clone());
        let text = response.text().await.expect("the answer is text");
        Self { status, headers, text }
    }

    /// The answer, which must be a success.
    pub fn ok(self) -> Self {
        assert!(self.status.is_success(), "{} {}", self.status, self.text);
        self
    }

    /// The answer's JSON, which must be a success.
    pub fn json<T: DeserializeOwned>(self) -> T {
        let answer = self.ok();
        serde_json::from_str(&answer.text)
            .unwrap_or_else(|error| panic!("{error}: {}", answer.text))
    }

    /// The answer's JSON without a type, which must be a success.
    pub fn value(self) -> Value {
        self.json()
    }

    /// The refusal's code, after checking its status; the answer must be a proper problem.
    pub fn refused(self, status: u16) -> String {
        assert_eq!(self.status.as_u16(), status, "{}", self.text);
        let problem: server::wire::Problem = serde_json::from_str(&self.text)
            .unwrap_or_else(|error| panic!("no problem: {error}: {}", self.text));
        assert!(!problem.message.is_empty(), "a problem says what was wrong");
        let code = serde_json::to_value(problem.code).expect("a word");
        code.as_str().expect("a word").to_owned()
    }
}

/// An open socket.
pub struct Socket(pub WebSocketStream<MaybeTlsStream<TcpStream>>);

/// Generous: the machine may be busy.
const PATIENCE: Duration = Duration::from_secs(60);

impl Socket {
    pub async fn send(&mut self, message: &impl Serialize) {
        let text = serde_json::to_string(message).expect("JSON");
        self.send_text(text).await;
    }

    pub async fn send_text(&mut self, text: String) {
        self.0.send(Message::text(text)).await.expect("the socket takes a message");
    }

    /// The next message as JSON, or nothing if the server closed the socket.
    pub async fn next(&mut self) -> Option<Value> {
        loop {
            let next = tokio::time::timeout(PATIENCE, self.0.next());
            match next.await.expect("the server sends something")? {
                Ok(Message::Text(text)) => {
                    return Some(serde_json::from_str(&text).expect("the server sends JSON"));
                }
                Ok(Message::Close(why)) => {
                    // Shown when a test fails that did not expect it.
                    println!("the server closed the socket: {why:?}");
                    return None;
                }
                Err(error) => {
                    println!("the socket broke: {error}");
                    return None;
                }
                Ok(_) => {}
            }
        }
    }

    /// The next message of a type; others are passed over.
    pub async fn next_of(&mut self, kind: &str) -> Value {
        loop {
            let message = self.next().await.expect("the socket is open");
            if message["type"] == kind {
                return message;
            }
        }
    }
}
