"""`python twilio_client.py <dev-credentials.json>`: what programs written for Twilio do, by its library for Python."""
import json
import sys

from twilio.base.exceptions import TwilioRestException
from twilio.rest import Client

NUMBER = "+2348030000000"
SPACED = "+234 803 000 0000"

with open(sys.argv[1], encoding="utf8") as file:
    credentials = json.load(file)
workspace = credentials["workspace_id"].replace("-", "")


def client_of(user, password, account=None):
    client = Client(user, password, account)
    client.verify.base_url = credentials["base_url"] + "/twilio"
    client.api.base_url = credentials["base_url"] + "/twilio"
    return client


def refused(call, code, status):
    try:
        call()
    except TwilioRestException as error:
        assert (error.code, error.status) == (code, status), f"{error.status} {error.code}: {error.msg}"
        assert error.msg
        return
    raise AssertionError(f"not refused with {code}")


key = credentials["test_key"]
client = client_of("AC" + workspace, key)
service = client.verify.v2.services("VA" + workspace)
sms = {"to": NUMBER, "channel": "sms"}

sent = service.verifications.create(to=SPACED, channel="sms", locale="en-GB")
assert (sent.to, sent.status, sent.valid) == (NUMBER, "pending", False)
assert sent.date_created.tzinfo is not None
for by in (sent.sid, NUMBER, SPACED):
    assert service.verifications(by).fetch().sid == sent.sid
wrong = service.verification_checks.create(to=SPACED, code="000000")
assert (wrong.status, wrong.valid) == ("pending", False)
right = service.verification_checks.create(to=SPACED, code="123456")
assert (right.status, right.valid) == ("approved", True)
refused(lambda: service.verification_checks.create(to=NUMBER, code="123456"), 20404, 404)
refused(lambda: service.verifications(NUMBER).fetch(), 20404, 404)

# An empty locale is none. An API key of Twilio has a SID of its own, which is not looked at.
by_sid = client_of("SK" + "0" * 32, key, "AC" + workspace).verify.v2.services("VA" + workspace)
assert by_sid.verifications.create(locale="", **sms).status == "pending"
assert service.verifications(NUMBER).update(status="canceled").status == "canceled"
for locale in ("fr", "fr-FR", "FR", "en_US"):
    assert service.verifications.create(locale=locale, **sms).status == "pending"
    service.verifications(NUMBER).update(status="canceled")

for unserved in (
    {"locale": "pt-br"},
    {"custom_friendly_name": "Shop"},
    {"custom_message": "Shop"},
    {"rate_limits": {"end_user_ip": "192.0.2.1"}},
):
    refused(lambda: service.verifications.create(**sms, **unserved), 60200, 400)
refused(lambda: service.verifications.create(to=NUMBER, channel="whatsapp"), 60223, 400)
refused(lambda: client.verify.v2.services.create(friendly_name="Another"), 20004, 405)
refused(lambda: service.rate_limits.create(unique_name="end_user_ip"), 20404, 404)

text = {"to": SPACED, "body": "Bonjour, voilà: déjà prêt."}
message = client.messages.create(messaging_service_sid="MG" + workspace, **text)
assert (message.to, message.body, message.error_code) == (NUMBER, text["body"], None)
assert client.messages(message.sid).fetch().sid == message.sid
refused(lambda: client.messages(message.sid).update(status="canceled"), 20004, 405)
refused(lambda: client.messages.create(to=NUMBER, body="x"), 21603, 400)
refused(lambda: client_of("AC" + "0" * 32, key).messages.create(from_="Shop", **text), 20404, 404)
refused(lambda: client_of("AC" + workspace, "nothing").messages(message.sid).fetch(), 20003, 401)
