//! What a client from OpenAPI Generator does: `client <base URL> <key>`.
use openapi::apis::configuration::Configuration;
use openapi::apis::{events_api, money_api, one_time_passwords_api as passwords, Error};
use openapi::models::{EventsPageDataInner, SendOtpRequest, VerifyOtpRequest};

const NUMBERS: [&str; 3] = ["+2348030000001", "+2348030000002", "+2348030000003"];

#[tokio::main]
async fn main() {
    let given: Vec<String> = std::env::args().collect();
    let mut config = Configuration::new();
    config.base_path = given[1].clone();
    config.bearer_access_token = Some(given[2].clone());
    send_verify_and_list(&config).await;
    read_event(&config).await;
    meet_limit(&config).await;
}

async fn send_verify_and_list(config: &Configuration) {
    let began = (chrono::Utc::now() - chrono::Duration::minutes(1)).fixed_offset();
    let mut ids = Vec::new();
    for number in NUMBERS {
        let request = SendOtpRequest::new(number.to_owned());
        ids.push(passwords::send_otp(config, request, Some(number), None).await.expect("send").id);
    }
    let guess = VerifyOtpRequest::new(ids[2], "123 456".to_owned());
    assert!(passwords::verify_otp(config, guess, None, None).await.expect("verify").valid);

    let limit = Some(2);
    let first = passwords::list_otps(config, limit, None, None, None, Some(true), Some(began), None, None, None)
        .await
        .expect("list");
    assert_eq!(first.data.len(), 2);
    let cursor = first.next_cursor.as_deref();
    let second = passwords::list_otps(config, limit, cursor, None, None, None, None, None, None, None)
        .await
        .expect("next page");
    assert!(first.data.iter().all(|otp| otp.id != second.data[0].id));

    let other = SendOtpRequest::new(NUMBERS[1].to_owned());
    match passwords::send_otp(config, other, Some(NUMBERS[0]), None).await {
        Err(Error::ResponseError(answer)) => {
            assert_eq!(answer.status, 409);
            assert!(answer.content.contains("idempotency_conflict"));
        }
        answer => panic!("no 409: {answer:?}"),
    }
}

async fn read_event(config: &Configuration) {
    for _ in 0..20 {
        let page = events_api::list_events(config, None, None, None, None).await.expect("events");
        match page.data.first() {
            Some(EventsPageDataInner::EventOfVariantA(event)) => return assert!(event.sequence >= 1),
            Some(event) => panic!("another event: {event:?}"),
            None => tokio::time::sleep(std::time::Duration::from_millis(500)).await,
        }
    }
    panic!("no event");
}

async fn meet_limit(config: &Configuration) {
    for _ in 0..100 {
        if let Err(error) = money_api::get_balance(config, None).await {
            match error {
                Error::ResponseError(answer) => return assert_eq!(answer.status, 429),
                error => panic!("no 429: {error:?}"),
            }
        }
    }
    panic!("no 429");
}
