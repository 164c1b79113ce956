//! The sockets of loopback, and what becomes of a connection.

use std::convert::Infallible;
use std::io;
use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr, TcpListener};
use std::pin::pin;
use std::sync::Arc;

use http_body_util::Full;
use hyper::body::{Bytes, Incoming};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Method as Verb, Request, Response};
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::net::TcpStream;
use tokio::sync::{Semaphore, watch};
use tokio::task::{JoinSet, spawn_blocking};
use tokio::time::timeout;
use wirecanon_judge::exit::Stop;

use super::answer::Answer;
use super::ask::{Asked, Method};
use super::{Site, Times, body, guard};

/// Connections that are open at once.
const CONNECTIONS: usize = 64;

/// Bodies that come in at once, and as many answers that are worked on: who sends slowly keeps none of these waiting.
const AT_WORK: usize = 4;

/// Ports that are tried where any will do.
const TRIES: usize = 16;

/// Answers a request.
type Answering = fn(&Site, &Asked) -> Answer;

/// Sockets that listen, and answer nobody yet.
#[derive(Debug)]
pub struct Bound {
    sockets: Vec<TcpListener>,
    port: u16,
}

/// Listens on this port of loopback, on any that is free for 0.
///
/// # Errors
///
/// The port is in use, or may not be used.
pub fn bind(port: u16) -> Result<Bound, Stop> {
    let mut last = None;
    let tries = if port == 0 { TRIES } else { 1 };
    for _ in 0..tries {
        match both(port) {
            Ok(bound) => return Ok(bound),
            Err(error) => last = Some(error),
        }
    }
    let error = last.unwrap_or_else(|| io::Error::other("no port was tried"));
    let port = if port == 0 { "a port".to_owned() } else { format!("port {port}") };
    let said = match error.kind() {
        io::ErrorKind::AddrInUse => {
            format!(
                "{port} is in use: another program listens there, perhaps another `wirecanon serve`; give `--port N` for \
                 another one, or `--port 0` for any that is free"
            )
        }
        io::ErrorKind::PermissionDenied => {
            format!("{port} may not be used by you: the system keeps it; give `--port 0` for any that is free")
        }
        _ => format!("{port} of loopback cannot be listened on: {error}; give `--port 0` for any that is free"),
    };
    Err(Stop::incomplete(said))
}

/// The same port of both loopbacks, so that `localhost` means this place whichever of them it is.
fn both(port: u16) -> io::Result<Bound> {
    let first = TcpListener::bind((Ipv4Addr::LOCALHOST, port))?;
    let port = first.local_addr()?.port();
    let mut sockets = vec![first];
    match TcpListener::bind((Ipv6Addr::LOCALHOST, port)) {
        Ok(second) => sockets.push(second),
        Err(error) if error.kind() == io::ErrorKind::AddrInUse => return Err(error),
        // There is no IPv6 here.
        Err(_) => {}
    }
    Ok(Bound { sockets, port })
}

struct Shared {
    site: Site,
    times: Times,
    port: u16,
    bodies: Semaphore,
    work: Arc<Semaphore>,
    answering: Answering,
}

impl Bound {
    /// The port.
    pub fn port(&self) -> u16 {
        self.port
    }

    /// Where the page is.
    pub fn url(&self) -> String {
        format!("http://127.0.0.1:{}/", self.port)
    }

    /// Answers until `end`. What is under way then is finished, if it takes little time.
    ///
    /// # Errors
    ///
    /// The sockets cannot be used.
    pub async fn serve(self, site: Site, times: Times, end: impl Future<Output = ()>) -> io::Result<()> {
        self.serve_by(super::answer, site, times, end).await
    }

    async fn serve_by(
        self,
        answering: Answering,
        site: Site,
        times: Times,
        end: impl Future<Output = ()>,
    ) -> io::Result<()> {
        let [bodies, work] = [AT_WORK; 2].map(Semaphore::new);
        let shared = Arc::new(Shared { site, times, port: self.port, bodies, work: Arc::new(work), answering });
        let places = Arc::new(Semaphore::new(CONNECTIONS));
        let (ending, ended) = watch::channel(false);
        let mut doors = JoinSet::new();
        for socket in self.sockets {
            socket.set_nonblocking(true)?;
            let socket = tokio::net::TcpListener::from_std(socket)?;
            doors.spawn(door(socket, shared.clone(), places.clone(), ended.clone()));
        }
        drop(ended);
        end.await;
        // Whether anybody is left to hear it or not.
        let _ = ending.send(true);
        while doors.join_next().await.is_some() {}
        let _ = timeout(times.end, places.acquire_many(CONNECTIONS as u32)).await;
        Ok(())
    }
}

/// Takes connections until the end.
async fn door(
    socket: tokio::net::TcpListener,
    shared: Arc<Shared>,
    places: Arc<Semaphore>,
    mut ended: watch::Receiver<bool>,
) {
    loop {
        let Ok(place) = places.clone().acquire_owned().await else { return };
        let accepted = tokio::select! {
            accepted = socket.accept() => accepted,
            _ = ended.changed() => return,
        };
        match accepted {
            Ok((stream, from)) if is_loopback(from) => {
                let (shared, ended) = (shared.clone(), ended.clone());
                tokio::spawn(async move {
                    connection(stream, shared, ended).await;
                    drop(place);
                });
            }
            Ok(_) => {}
            // No descriptor is left, or the peer is gone: the next may do better.
            Err(_) => tokio::time::sleep(std::time::Duration::from_millis(50)).await,
        }
    }
}

fn is_loopback(from: SocketAddr) -> bool {
    from.ip().to_canonical().is_loopback()
}

async fn connection(stream: TcpStream, shared: Arc<Shared>, mut ended: watch::Receiver<bool>) {
    let times = shared.times;
    let service = service_fn(move |request| respond(shared.clone(), request));
    let served = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(times.head)
        .max_buf_size(64 << 10)
        // One request each, so that it is known how long a connection may last: nobody holds an answer by not taking it.
        .keep_alive(false)
        .serve_connection(TokioIo::new(stream), service);
    // A body may wait for its place as long as for its end.
    let most = times.head + 2 * times.body + times.work + times.answer;
    let mut served = pin!(served);
    // What goes wrong on a connection is over with it: the peer is gone, or speaks no HTTP.
    tokio::select! {
        _ = timeout(most, served.as_mut()) => {}
        _ = ended.changed() => {
            served.as_mut().graceful_shutdown();
            let _ = timeout(times.end, served).await;
        }
    }
}

async fn respond(shared: Arc<Shared>, request: Request<Incoming>) -> Result<Response<Full<Bytes>>, Infallible> {
    Ok(match admitted(&shared, request).await {
        Ok(answer) | Err(answer) => answer.into_response(),
    })
}

async fn admitted(shared: &Arc<Shared>, request: Request<Incoming>) -> Result<Answer, Answer> {
    let (head, body) = request.into_parts();
    guard::admit(&head, shared.port)?;
    let path = head.uri.path().to_owned();
    let method = match head.method {
        Verb::GET | Verb::HEAD => Method::Get,
        Verb::POST => Method::Post,
        _ => {
            let words = format!("`{}` is not done here.", head.method);
            return Err(Answer::wrong(&path, 405, "Method not allowed", &words).with("allow", "GET, HEAD, POST"));
        }
    };
    let mut coming = None;
    let body = match method {
        Method::Get => Vec::new(),
        Method::Post => {
            let body = body::admit(&head, body, shared.site.limit, &shared.times)?;
            let Ok(place) = timeout(shared.times.body, shared.bodies.acquire()).await else {
                let words = "Others have been sending what they ask for all the time. Please ask again.";
                return Err(Answer::wrong(&path, 503, "Busy", words));
            };
            coming = place.ok();
            body::take(&head, body, shared.site.limit, &shared.times).await?
        }
    };
    let permit = shared.work.clone().acquire_owned().await.ok();
    drop(coming);
    let asked = Asked { method, path: path.clone(), query: head.uri.query().unwrap_or_default().to_owned(), body };
    let worker = shared.clone();
    let task = spawn_blocking(move || {
        // It is given back when the work is done, even if nobody waits for it any more.
        let _permit = permit;
        (worker.answering)(&worker.site, &asked)
    });
    match timeout(shared.times.work, task).await {
        Ok(Ok(answer)) => Ok(answer),
        Ok(Err(_)) => {
            let words = "This request met a fault of wirecanon itself: it is said where `wirecanon serve` runs. Please report it with \
                         what was given. Everything else goes on.";
            Err(Answer::wrong(&path, 500, "Internal error", words))
        }
        Err(_) => {
            let words = format!(
                "This took longer than {} seconds. `wirecanon check` and `wirecanon fix` have no such limit.",
                shared.times.work.as_secs()
            );
            Err(Answer::wrong(&path, 503, "Took too long", &words))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{Read, Write};
    use std::time::Duration;
    use wirecanon_judge::exit::Exit;

    fn ask(port: u16, path: &str) -> String {
        let mut stream = std::net::TcpStream::connect((Ipv4Addr::LOCALHOST, port)).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
        write!(stream, "GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: close\r\n\r\n").unwrap();
        let mut said = String::new();
        stream.read_to_string(&mut said).unwrap();
        said
    }

    fn with(answering: Answering, times: Times, test: impl FnOnce(u16) + Send + 'static) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let bound = bind(0).unwrap();
        let port = bound.port();
        let site = Site { runs: Vec::new(), cases: Vec::new(), limit: 1 << 20 };
        let (done, wait) = tokio::sync::oneshot::channel::<()>();
        let thread = std::thread::spawn(move || {
            test(port);
            done.send(()).unwrap();
        });
        runtime
            .block_on(bound.serve_by(answering, site, times, async {
                // A test that fails drops its end.
                let _ = wait.await;
            }))
            .unwrap();
        thread.join().expect("the test holds");
    }

    #[test]
    fn a_panic_is_one_answer_and_the_server_lives_on() {
        let answering: Answering = |_, asked| {
            assert!(asked.path != "/panic" && asked.path != "/api/panic", "as the test wants it");
            Answer::new(200, "text/plain; charset=utf-8", "well")
        };
        with(answering, Times::default(), |port| {
            for _ in 0..2 * AT_WORK {
                let said = ask(port, "/panic");
                assert!(said.starts_with("HTTP/1.1 500 ") && said.contains("a fault of wirecanon itself"), "{said}");
            }
            let said = ask(port, "/api/panic");
            assert!(said.contains("application/json") && said.contains("\"kind\":\"internal-error\""), "{said}");
            assert!(ask(port, "/fine").ends_with("\r\n\r\nwell"));
        });
    }

    #[test]
    fn what_takes_too_long_is_answered_and_the_others_too() {
        let answering: Answering = |_, asked| {
            if asked.path == "/slow" {
                std::thread::sleep(Duration::from_millis(1500));
            }
            Answer::new(200, "text/plain; charset=utf-8", "well")
        };
        let times = Times { work: Duration::from_millis(200), ..Times::default() };
        with(answering, times, |port| {
            let slow = std::thread::spawn(move || ask(port, "/slow"));
            assert!(ask(port, "/fine").ends_with("well"));
            let said = slow.join().unwrap();
            assert!(said.starts_with("HTTP/1.1 503 ") && said.contains("Took too long"), "{said}");
        });
    }

    #[test]
    fn who_says_nothing_is_not_waited_for() {
        let times = Times { head: Duration::from_millis(300), body: Duration::from_millis(300), ..Times::default() };
        with(super::super::answer, times, |port| {
            for begun in [
                String::new(),
                "GET / HTTP/1.1\r\nHost: 127.0".to_owned(),
                format!(
                    "POST /api/fix HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{{"
                ),
            ] {
                let mut stream = std::net::TcpStream::connect((Ipv4Addr::LOCALHOST, port)).unwrap();
                stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
                stream.write_all(begun.as_bytes()).unwrap();
                let (clock, mut said) = (std::time::Instant::now(), String::new());
                stream.read_to_string(&mut said).expect("an end, not a wait");
                assert!(clock.elapsed() < Duration::from_secs(10));
                assert!(!begun.starts_with("POST") || said.starts_with("HTTP/1.1 408 "), "{said}");
            }
        });
    }

    /// Bodies that come slowly, as many as come in at once: everything else is answered meanwhile.
    #[test]
    fn slow_bodies_keep_nobody_waiting() {
        let answering: Answering = |_, _| Answer::new(200, "text/plain; charset=utf-8", "well");
        with(answering, Times::default(), |port| {
            let slow: Vec<_> = (0..AT_WORK)
                .map(|_| {
                    let mut stream = std::net::TcpStream::connect((Ipv4Addr::LOCALHOST, port)).unwrap();
                    let head = "Content-Type: application/json\r\nContent-Length: 1000\r\n\r\n{";
                    write!(stream, "POST /api/fix HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n{head}").unwrap();
                    stream
                })
                .collect();
            std::thread::sleep(Duration::from_millis(200));
            let clock = std::time::Instant::now();
            assert!(ask(port, "/fine").ends_with("well"));
            assert!(clock.elapsed() < Duration::from_secs(10), "it waited for {} bodies", slow.len());
        });
    }

    #[test]
    fn a_port_is_not_taken_twice() {
        let first = bind(0).unwrap();
        let stop = bind(first.port()).unwrap_err();
        let message = stop.message.unwrap_or_default();
        assert!(message.starts_with(&format!("port {} is in use", first.port())), "{message}");
        assert!(message.contains("`--port 0` for any that is free") && stop.exit == Exit::Incomplete, "{message}");
        assert_ne!(bind(0).unwrap().port(), first.port());
        assert_eq!(first.url(), format!("http://127.0.0.1:{}/", first.port()));
    }

    #[test]
    fn loopback_is_who_may_come() {
        for (address, is) in [
            ("127.0.0.1:9", true),
            ("127.9.9.9:9", true),
            ("[::1]:9", true),
            ("[::ffff:127.0.0.1]:9", true),
            ("192.168.0.1:9", false),
            ("[fe80::1]:9", false),
        ] {
            assert_eq!(is_loopback(address.parse().unwrap()), is, "{address}");
        }
    }
}
