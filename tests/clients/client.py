"""What a client from openapi-python-client does: `client.py <base URL> <key>`."""

import datetime
import sys
import time

from watchword_client import AuthenticatedClient
from watchword_client.api.events import list_events
from watchword_client.api.money import get_balance
from watchword_client.api.one_time_passwords import list_otps, send_otp, verify_otp
from watchword_client.models import AccountBalance, OtpPage, SendOtpRequest, SentOtp
from watchword_client.models import VerifyOtpRequest

NUMBERS = ["+2348030000001", "+2348030000002", "+2348030000003"]


def main(base_url: str, key: str) -> None:
    client = AuthenticatedClient(base_url=base_url, token=key)
    began = datetime.datetime.now(datetime.timezone.utc) - datetime.timedelta(minutes=1)
    sent = None
    for number in NUMBERS:
        sent = send_otp.sync(client=client, body=SendOtpRequest(phone_number=number), idempotency_key=number)
        assert isinstance(sent, SentOtp), sent
    checked = verify_otp.sync(client=client, body=VerifyOtpRequest(otp_id=sent.id, code="123 456"))
    assert checked.valid is True, checked

    first = list_otps.sync(client=client, limit=2, created_after=began, test_mode=True)
    assert isinstance(first, OtpPage) and len(first.data) == 2, first
    second = list_otps.sync(client=client, limit=2, cursor=first.next_cursor)
    assert second.data[0].id not in [otp.id for otp in first.data]

    events = []
    for _ in range(20):
        events = list_events.sync(client=client).data
        if events:
            break
        time.sleep(0.5)
    assert events[0].sequence >= 1 and events[0].data.to_dict()["id"]

    other = SendOtpRequest(phone_number=NUMBERS[1])
    conflict = send_otp.sync_detailed(client=client, body=other, idempotency_key=NUMBERS[0])
    assert conflict.status_code == 409, conflict
    assert conflict.parsed.error.type_ == "idempotency_conflict"

    for _ in range(100):
        answer = get_balance.sync_detailed(client=client)
        if answer.status_code == 429:
            assert int(answer.headers["Retry-After"]) >= 1
            return
        assert isinstance(answer.parsed, AccountBalance)
    raise AssertionError("no 429")


main(*sys.argv[1:])
