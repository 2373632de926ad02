//! The single calls.

use crate::live::{Live, at};
use grpc::proto::review_event::Event;
use grpc::proto::{
    AiViewOptions, AiViewRequest, AnalyseRequest, ApplyRequest, DataType, GameTypesRequest,
    InitialStateRequest, Play, PlayerViewRequest, Position, ReviewRequest, SearchTask,
    SpectatorViewRequest, Turn, ValidActionsRequest,
};
use tonic::Code;
use tonic_health::pb::HealthCheckRequest;
use tonic_health::pb::health_check_response::ServingStatus;
use tonic_health::pb::health_client::HealthClient;
use tonic_reflection::pb::v1::ServerReflectionRequest;
use tonic_reflection::pb::v1::server_reflection_client::ServerReflectionClient;
use tonic_reflection::pb::v1::server_reflection_request::MessageRequest;
use tonic_reflection::pb::v1::server_reflection_response::MessageResponse;

#[tokio::test]
async fn every_game_is_played_to_its_end_by_single_calls() {
    let live = Live::start().await;
    let mut engine = live.client().await;
    let games = engine.game_types(GameTypesRequest {}).await.unwrap().into_inner().games;
    let names: Vec<&str> = games.iter().map(|game| game.id.as_str()).collect();
    assert_eq!(names, ["carcassonne", "tinytown"]);
    for game in games {
        let setup = game.default_setup.clone();
        let asked = InitialStateRequest { game: game.id.clone(), setup };
        let mut state = engine.initial_state(asked).await.unwrap().into_inner();
        assert_eq!(state.ply, 0);
        while state.turn() != Turn::Over {
            let position = at(&state.record);
            let asked = ValidActionsRequest { position: position.clone() };
            let valid = engine.valid_actions(asked).await.unwrap().into_inner();
            assert_eq!((valid.turn, valid.player), (state.turn, state.player));
            let action = valid.actions.last().unwrap();
            assert_eq!(action.odds > 0, valid.turn() == Turn::Chance);
            let actions = vec![action.text.clone()];
            let play = Some(Play { actions, draw: true, ..Play::default() });
            let asked = ApplyRequest { position, play, seed: state.ply.into() };
            state = engine.apply(asked).await.unwrap().into_inner();
        }
        assert_eq!(state.scores.len(), game.min_players as usize);
        let last = ValidActionsRequest { position: at(&state.record) };
        assert!(engine.valid_actions(last).await.unwrap().into_inner().actions.is_empty());
    }
}

#[tokio::test]
async fn views_show_players_their_turns_and_programs_their_numbers() {
    let live = Live::start().await;
    let mut engine = live.client().await;
    let record = "carcassonne players=2 board=35x35\nU";
    let seen = |player| PlayerViewRequest { position: at(record), player };
    let own = engine.player_view(seen(0)).await.unwrap().into_inner();
    let other = engine.player_view(seen(1)).await.unwrap().into_inner();
    let watched = SpectatorViewRequest { position: at(record) };
    let watched = engine.spectator_view(watched).await.unwrap().into_inner();
    let legal: serde_json::Value = serde_json::from_str(&own.legal_json).unwrap();
    assert!(legal[0]["then"].is_array());
    assert_eq!((other.legal_json.as_str(), watched.legal_json.as_str()), ("", ""));
    assert_eq!((&own.view_json, &other.view_json), (&watched.view_json, &watched.view_json));
    let nobody = engine.player_view(seen(2)).await.unwrap_err();
    assert_eq!((nobody.code(), nobody.message()), (Code::InvalidArgument, "player 2: from 0 to 1"));

    let names = ["planes", "compact", "globals"].map(str::to_owned).to_vec();
    let options = AiViewOptions { tensors: names, ..AiViewOptions::default() };
    let asked = AiViewRequest { position: at(record), options: Some(options.clone()) };
    let seen = engine.ai_view(asked).await.unwrap().into_inner();
    assert_eq!((seen.tensor_version, seen.action_count), (1, 4912));
    assert_eq!(seen.actions.len(), seen.action_numbers.len());
    let planes = &seen.tensors[0];
    assert_eq!((planes.name.as_str(), planes.r#type()), ("planes", DataType::Uint8));
    assert_eq!(planes.data.len() as u32, planes.shape.iter().product::<u32>());
    let compact = &seen.tensors[1];
    assert_eq!(compact.data.len() as u32, 2 * compact.shape[0]);
    let view: serde_json::Value = serde_json::from_str(&seen.view_json).unwrap();
    assert_eq!(view["valid_actions"].as_array().unwrap().len(), seen.actions.len());

    let newer = AiViewOptions { tensor_version: Some(2), without_json: true, ..options.clone() };
    let asked = AiViewRequest { position: at(record), options: Some(newer) };
    let newer = engine.ai_view(asked).await.unwrap().into_inner();
    assert_eq!((newer.tensor_version, newer.view_json.as_str()), (2, ""));
    let unlimited = AiViewRequest { position: at("carcassonne\nU"), options: Some(options) };
    let refused = engine.ai_view(unlimited).await.unwrap_err();
    assert!(refused.message().contains("board="), "{refused}");

    let town = AiViewOptions { tensors: vec!["matrix".to_owned()], ..AiViewOptions::default() };
    let asked = AiViewRequest { position: at("tinytown 2x3\nbrick 0,1"), options: Some(town) };
    let seen = engine.ai_view(asked).await.unwrap().into_inner();
    assert_eq!((seen.tensors[0].shape.as_slice(), seen.tensors[0].data[1]), (&[3, 4][..], 1));
    assert_eq!(seen.actions.len(), seen.action_numbers.len());
}

#[tokio::test]
async fn an_analysis_comes_in_parts_and_ends_with_its_last_word() {
    let live = Live::start().await;
    let mut engine = live.client().await;
    let task = SearchTask { nodes: Some(4_000), top: 3, ..SearchTask::default() };
    let asked = AnalyseRequest { position: at("carcassonne\nU"), task: Some(task) };
    let mut parts = engine.analyse(asked).await.unwrap().into_inner();
    let mut all = Vec::new();
    while let Some(part) = parts.message().await.unwrap() {
        all.push(part);
    }
    let last = all.pop().unwrap();
    assert!(!all.is_empty() && all.iter().all(|part| !part.r#final));
    assert!(last.r#final && last.nodes >= all[0].nodes);
    assert_eq!((last.best.len(), last.player, last.lines.len()), (2, 0, 3));
    assert_eq!((last.values.len(), &last.lines[0].actions), (2, &last.best));
}

#[tokio::test]
async fn a_review_tells_every_step_and_then_the_sum() {
    let live = Live::start().await;
    let mut engine = live.client().await;
    let record = "tinytown 2x2\nbrick 0,0; end; glass 0,1; end".to_owned();
    let mut parts = engine.review(ReviewRequest { record, depth: 0 }).await.unwrap().into_inner();
    let mut events = Vec::new();
    while let Some(part) = parts.message().await.unwrap() {
        assert_eq!(part.plies, 4);
        events.push(part.event.unwrap());
    }
    let Some(Event::Summary(summary)) = events.pop() else { panic!("the sum is the last") };
    assert_eq!((events.len(), summary.players.len(), summary.finished), (4, 1, false));
    assert!(events.iter().all(|event| matches!(event, Event::Decision(d) if d.exact)));
}

#[tokio::test]
async fn what_is_wrong_is_named_with_what_is_allowed() {
    let live = Live::start().await;
    let mut engine = live.client().await;
    let open = |game: &str, setup: &str| InitialStateRequest {
        game: game.to_owned(),
        setup: setup.to_owned(),
    };
    for (asked, word) in [
        (open("chess", ""), "there are carcassonne, tinytown"),
        (open("carcassonne", "players=9"), "2 to 6 players"),
        (open("carcassonne", "players=2\nU"), "one line"),
        (open("tinytown", "9x9"), "9x9"),
        (open("", ""), "no game is called ''"),
    ] {
        let refused = engine.initial_state(asked).await.unwrap_err();
        assert_eq!(refused.code(), Code::InvalidArgument);
        assert!(refused.message().contains(word), "{refused}");
    }
    for (record, word) in [
        ("", "a record begins with"),
        ("carcassonne\nU; 9,9 r0", "line 2, ply 2"),
        ("carcassonne\nU\nbrick 0,0", "line 3"),
        ("tinytown 2x2\nU", "line 2"),
        ("tinytown 2x2\nend", "ply 1"),
        ("[{\"tile\": 7}]", ""),
    ] {
        let asked = ValidActionsRequest { position: at(record) };
        let refused = engine.valid_actions(asked).await.unwrap_err();
        assert_eq!(refused.code(), Code::InvalidArgument, "{record}: {refused}");
        assert!(refused.message().contains(word), "{record}: {refused}");
    }
    let late = Position { record: "carcassonne\nU".to_owned(), ply: Some(2) };
    let refused = engine.valid_actions(ValidActionsRequest { position: Some(late) }).await;
    assert!(refused.unwrap_err().message().contains("the record has 1 plies"));
    let nowhere = engine.valid_actions(ValidActionsRequest { position: None }).await.unwrap_err();
    assert_eq!(nowhere.code(), Code::InvalidArgument);

    let play = |actions: &[&str]| ApplyRequest {
        position: at("carcassonne"),
        play: Some(Play {
            actions: actions.iter().map(ToString::to_string).collect(),
            ..Play::default()
        }),
        seed: 0,
    };
    for (asked, word) in [
        (play(&["U", "1,0 r0", "city0"]), "action 3 'city0' is not legal"),
        (play(&["brick 0,0"]), "action 1 'brick 0,0': expected"),
        (play(&["U; 1,0 r0"]), "action 1"),
        (play(&["pass"; 5000]), "at most 4096"),
    ] {
        let refused = engine.apply(asked).await.unwrap_err();
        assert_eq!(refused.code(), Code::InvalidArgument);
        assert!(refused.message().contains(word), "{refused}");
    }
    let asked = AnalyseRequest { position: at("carcassonne"), task: None };
    let refused = engine.analyse(asked).await.unwrap_err();
    assert_eq!(refused.code(), Code::FailedPrecondition);
    let bot = SearchTask { bot: Some("hal".to_owned()), ..SearchTask::default() };
    let asked = AnalyseRequest { position: at("carcassonne\nU"), task: Some(bot) };
    assert!(engine.analyse(asked).await.unwrap_err().message().contains("no bot"));
}

#[tokio::test]
async fn the_service_tells_its_health_and_its_protocol() {
    let live = Live::start().await;
    let mut health = HealthClient::new(live.channel().await);
    for service in ["", "bastide.v1.Engine"] {
        let asked = HealthCheckRequest { service: service.to_owned() };
        let answer = health.check(asked).await.unwrap().into_inner();
        assert_eq!(answer.status(), ServingStatus::Serving);
    }
    let mut reflection = ServerReflectionClient::new(live.channel().await);
    let asked = ServerReflectionRequest {
        host: String::new(),
        message_request: Some(MessageRequest::FileContainingSymbol("bastide.v1.Engine".to_owned())),
    };
    let told = reflection.server_reflection_info(tokio_stream::once(asked)).await.unwrap();
    let told = told.into_inner().message().await.unwrap().unwrap();
    let Some(MessageResponse::FileDescriptorResponse(files)) = told.message_response else {
        panic!("{told:?}")
    };
    assert_eq!(files.file_descriptor_proto.len(), 1);
}
