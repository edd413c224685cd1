# Written by `npm run docs` from the OpenAPI document. Do not edit.
from __future__ import annotations

from datetime import datetime
from typing import Any, Dict, List, Optional, Union

from . import models
from ._call import Call, RequestOptions, segment
from ._codec import UNSET, Literal, Unset, given
from ._pages import AsyncPages
from ._async_transport import AsyncTransport


class AsyncOtpResource:
    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def send(
        self,
        *,
        phone_number: str,
        code_length: Optional[int] = None,
        ttl_seconds: Optional[int] = None,
        language: Optional[Literal["en", "fr"]] = None,
        metadata: Optional[Dict[str, Any]] = None,
        quote_id: Optional[str] = None,
        options: Optional[RequestOptions] = None,
    ) -> models.SentOtp:
        """Send a one-time password. Generates a code, charges its credits and queues it for the best provider.

        Args:
            phone_number: Destination in E.164.
            code_length: Digits of the code.
            ttl_seconds: Seconds that the code is good for.
            language: Language of the text.
            metadata: The caller's own data. Numbers are doubles: put longer ones into a text.
            quote_id: Id of a quote that fixes the price.
        """
        call = Call("POST", "/v1/otp/send", body=given({"phone_number": phone_number, "code_length": code_length, "ttl_seconds": ttl_seconds, "language": language, "metadata": metadata, "quote_id": quote_id}), result=models.SentOtp, number=("phone_number", "validation_error"))
        result: models.SentOtp = await self._transport.send(call, options)
        return result

    async def verify(
        self,
        *,
        otp_id: str,
        code: str,
        options: Optional[RequestOptions] = None,
    ) -> models.OtpVerification:
        """Verify a code. A wrong code with attempts left is an answer, not an error: `valid` is false.

        Args:
            otp_id: Id of the one-time password.
            code: The code as the person typed it.
        """
        call = Call("POST", "/v1/otp/verify", body=given({"otp_id": otp_id, "code": code}), result=models.OtpVerification)
        result: models.OtpVerification = await self._transport.send(call, options)
        return result

    async def resend(
        self,
        id: str,
        *,
        options: Optional[RequestOptions] = None,
    ) -> models.ResentOtp:
        """Resend a one-time password. Sends the same code with the same expiry again. A resend is charged."""
        call = Call("POST", f"/v1/otp/{segment('id', id)}/resend", body={}, result=models.ResentOtp)
        result: models.ResentOtp = await self._transport.send(call, options)
        return result

    async def cancel(
        self,
        id: str,
        *,
        options: Optional[RequestOptions] = None,
    ) -> models.Otp:
        """Cancel a one-time password. The code stops verifying. Credits go back if no provider accepted the message."""
        call = Call("POST", f"/v1/otp/{segment('id', id)}/cancel", body={}, result=models.Otp)
        result: models.Otp = await self._transport.send(call, options)
        return result

    async def get(
        self,
        id: str,
        *,
        options: Optional[RequestOptions] = None,
    ) -> models.Otp:
        """Retrieve a one-time password. Its state, its timeline and its cost. The code is never shown."""
        call = Call("GET", f"/v1/otp/{segment('id', id)}", result=models.Otp)
        result: models.Otp = await self._transport.send(call, options)
        return result

    def list(
        self,
        *,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        to: Optional[str] = None,
        country: Optional[str] = None,
        test_mode: Optional[bool] = None,
        created_after: Optional[Union[datetime, str]] = None,
        created_before: Optional[Union[datetime, str]] = None,
        status: Optional[Literal["pending", "sent", "delivered", "verified", "expired", "failed", "blocked", "scheduled", "queued", "rejected", "cancelled"]] = None,
        options: Optional[RequestOptions] = None,
    ) -> AsyncPages[models.Otp]:
        """List one-time passwords. Newest first, in the mode of the key.

        Args:
            limit: Records of a page.
            cursor: `next_cursor` of the page before.
            to: Destination in E.164.
            country: ISO 3166-1 alpha-2 code of the country.
            test_mode: Whether it was made with a test key.
            created_after: Only what was created after this time.
            created_before: Only what was created before this time.
            status: State of the record.
        """
        call = Call("GET", "/v1/otp", query={"limit": limit, "cursor": cursor, "to": to, "country": country, "test_mode": test_mode, "created_after": created_after, "created_before": created_before, "status": status}, result=models.Otp)
        return AsyncPages(self._transport, call, options, "cursor")


class AsyncSmsResource:
    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def send(
        self,
        *,
        phone_number: str,
        message: str,
        sender_id: Optional[str] = None,
        category: Optional[Literal["transactional", "promotional"]] = None,
        metadata: Optional[Dict[str, Any]] = None,
        quote_id: Optional[str] = None,
        options: Optional[RequestOptions] = None,
    ) -> models.SentSms:
        """Send a transactional SMS. Variant A. The text is rewritten, measured, charged and queued.

        Args:
            phone_number: Destination in E.164.
            message: The text of the message.
            sender_id: The sender ID.
            category: What the message is for. A promotional one keeps the quiet hours of its country, where the workspace has set `quiet_hours`.
            metadata: The caller's own data. Numbers are doubles: put longer ones into a text.
            quote_id: Id of a quote that fixes the price.
        """
        call = Call("POST", "/v1/sms/send", body=given({"phone_number": phone_number, "message": message, "sender_id": sender_id, "category": category, "metadata": metadata, "quote_id": quote_id}), result=models.SentSms, number=("phone_number", "phone_invalid"))
        result: models.SentSms = await self._transport.send(call, options)
        return result


class AsyncMessagesResource:
    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def send(
        self,
        *,
        to: str,
        from_: str,
        body: Optional[str] = None,
        template: Optional[str] = None,
        variables: Optional[Dict[str, Union[str, float, bool]]] = None,
        category: Optional[Literal["transactional", "promotional"]] = None,
        send_at: Optional[Union[datetime, str]] = None,
        metadata: Optional[Dict[str, Any]] = None,
        quote_id: Optional[str] = None,
        options: Optional[RequestOptions] = None,
    ) -> models.SmsMessage:
        """Send an SMS message. Give `body`, or `template` with `variables`. With `send_at` the message is charged now and sent then. The outcome comes by webhook, or from `GET /v1/sms/{id}`.

        Args:
            to: Destination in E.164: a plus sign, then 8 to 15 digits.
            from_: Sender ID: 1 to 11 letters, digits, spaces or . & _ -, at least one letter, no space at either end.
            body: The text. Give this or `template`.
            template: Slug or id of an SMS template. Give this or `body`.
            variables: Placeholders of the text.
            category: What the message is for. A promotional one keeps the quiet hours of its country, where the workspace has set `quiet_hours`.
            send_at: When to send: RFC 3339 with an offset, at most 30 days ahead.
            metadata: The caller's own data. Numbers are doubles: put longer ones into a text.
            quote_id: Id of a quote that fixes the price.
        """
        call = Call("POST", "/v1/sms", body=given({"to": to, "from": from_, "body": body, "template": template, "variables": variables, "category": category, "send_at": send_at, "metadata": metadata, "quote_id": quote_id}), result=models.SmsMessage, number=("to", "phone_invalid"))
        result: models.SmsMessage = await self._transport.send(call, options)
        return result

    async def send_batch(
        self,
        *,
        messages: List[models.SmsBatchItem],
        from_: Optional[str] = None,
        template: Optional[str] = None,
        send_at: Optional[Union[datetime, str]] = None,
        options: Optional[RequestOptions] = None,
    ) -> models.SmsBatch:
        """Send a batch of SMS messages. Up to 1000 messages, accepted in order in one transaction. Each item has an outcome of its own; one `Idempotency-Key` replays the whole answer.

        Args:
            from_: Sender ID: 1 to 11 letters, digits, spaces or . & _ -, at least one letter, no space at either end.
            template: Slug or id of an SMS template. Give this or `body`.
            send_at: When to send: RFC 3339 with an offset, at most 30 days ahead.
            messages: The messages, each with `to` and a text of its own or the shared template.
        """
        call = Call("POST", "/v1/sms/batch", body=given({"from": from_, "template": template, "send_at": send_at, "messages": messages}), result=models.SmsBatch)
        result: models.SmsBatch = await self._transport.send(call, options)
        return result

    async def cancel(
        self,
        id: str,
        *,
        options: Optional[RequestOptions] = None,
    ) -> models.SmsMessage:
        """Cancel an SMS message. Possible until the message is handed to a carrier; refunded in full. Later: 409."""
        call = Call("POST", f"/v1/sms/{segment('id', id)}/cancel", body={}, result=models.SmsMessage)
        result: models.SmsMessage = await self._transport.send(call, options)
        return result

    async def get(
        self,
        id: str,
        *,
        options: Optional[RequestOptions] = None,
    ) -> models.SmsDetails:
        """Retrieve an SMS message. One record for both variants: the names of variant A, then those of variant B."""
        call = Call("GET", f"/v1/sms/{segment('id', id)}", result=models.SmsDetails)
        result: models.SmsDetails = await self._transport.send(call, options)
        return result

    def list(
        self,
        *,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        to: Optional[str] = None,
        country: Optional[str] = None,
        test_mode: Optional[bool] = None,
        created_after: Optional[Union[datetime, str]] = None,
        created_before: Optional[Union[datetime, str]] = None,
        from_: Optional[str] = None,
        status: Optional[Literal["pending", "sent", "delivered", "failed", "blocked", "scheduled", "queued", "rejected", "cancelled"]] = None,
        options: Optional[RequestOptions] = None,
    ) -> AsyncPages[models.SmsDetails]:
        """List SMS messages. Newest first, in the mode of the key, of both variants.

        Args:
            limit: Records of a page.
            cursor: `next_cursor` of the page before.
            to: Destination in E.164.
            country: ISO 3166-1 alpha-2 code of the country.
            test_mode: Whether it was made with a test key.
            created_after: Only what was created after this time.
            created_before: Only what was created before this time.
            from_: Sender ID.
            status: State of the record.
        """
        call = Call("GET", "/v1/sms", query={"limit": limit, "cursor": cursor, "to": to, "country": country, "test_mode": test_mode, "created_after": created_after, "created_before": created_before, "from": from_, "status": status}, result=models.SmsDetails)
        return AsyncPages(self._transport, call, options, "cursor")


class AsyncEmailsResource:
    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def send(
        self,
        *,
        from_: str,
        to: Union[List[str], str],
        subject: str,
        html: Optional[str] = None,
        text: Optional[str] = None,
        cc: Optional[Union[List[str], str]] = None,
        bcc: Optional[Union[List[str], str]] = None,
        reply_to: Optional[Union[List[str], str]] = None,
        headers: Optional[Dict[str, str]] = None,
        attachments: Optional[List[models.SendEmailRequestAttachment]] = None,
        tags: Optional[List[str]] = None,
        category: Optional[Literal["transactional", "marketing"]] = None,
        track_opens: Optional[bool] = None,
        track_clicks: Optional[bool] = None,
        send_at: Optional[Union[datetime, str]] = None,
        metadata: Optional[Dict[str, Any]] = None,
        quote_id: Optional[str] = None,
        options: Optional[RequestOptions] = None,
    ) -> models.SentEmail:
        """Send an email. One credit for each recipient. With `send_at` the email is charged now and sent then. The outcome comes by webhook, or from `GET /v1/emails/{id}`.

        Args:
            from_: One mailbox at a verified domain: `addr` or `Name <addr>`.
            to: Recipients: one mailbox or a list. At most 50 with `cc` and `bcc`.
            subject: The subject; it can be empty.
            html: The HTML part. Give this, `text` or both.
            text: The text part. Left out: derived from `html`; empty: none.
            cc: Recipients of copies.
            bcc: Recipients of blind copies.
            reply_to: Where answers go.
            headers: Further headers. Those that the service writes itself are refused.
            attachments: Attached files. The finished message has at most 10 MiB.
            tags: Words to find the email by: letters, digits, - and _.
            category: Marketing email carries one-click unsubscribe.
            track_opens: Counts opens with a hidden image.
            track_clicks: Counts clicks on links of the HTML.
            send_at: When to send: RFC 3339 with an offset, at most 30 days ahead.
            metadata: The caller's own data. Numbers are doubles: put longer ones into a text.
            quote_id: Id of a quote that fixes the price.
        """
        call = Call("POST", "/v1/emails", body=given({"from": from_, "to": to, "subject": subject, "html": html, "text": text, "cc": cc, "bcc": bcc, "reply_to": reply_to, "headers": headers, "attachments": attachments, "tags": tags, "category": category, "track_opens": track_opens, "track_clicks": track_clicks, "send_at": send_at, "metadata": metadata, "quote_id": quote_id}), result=models.SentEmail)
        result: models.SentEmail = await self._transport.send(call, options)
        return result

    async def send_batch(
        self,
        body: List[models.EmailBatchItem],
        *,
        options: Optional[RequestOptions] = None,
    ) -> models.EmailBatch:
        """Send a batch of emails. Up to 100 emails, accepted in order in one transaction. Each item has an outcome of its own; one `Idempotency-Key` replays the whole answer."""
        call = Call("POST", "/v1/emails/batch", body=body, result=models.EmailBatch)
        result: models.EmailBatch = await self._transport.send(call, options)
        return result

    async def cancel(
        self,
        id: str,
        *,
        options: Optional[RequestOptions] = None,
    ) -> models.Email:
        """Cancel an email. Possible until the first copy is handed over; refunded in full. Later: 409. Answers the record of `GET /v1/emails/{id}`."""
        call = Call("POST", f"/v1/emails/{segment('id', id)}/cancel", body={}, result=models.Email)
        result: models.Email = await self._transport.send(call, options)
        return result

    async def get(
        self,
        id: str,
        *,
        options: Optional[RequestOptions] = None,
    ) -> models.Email:
        """Retrieve an email. Retrieve an email."""
        call = Call("GET", f"/v1/emails/{segment('id', id)}", result=models.Email)
        result: models.Email = await self._transport.send(call, options)
        return result

    def list(
        self,
        *,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        status: Optional[Literal["scheduled", "queued", "sent", "delivered", "bounced", "complained", "failed", "cancelled"]] = None,
        to: Optional[str] = None,
        from_: Optional[str] = None,
        tag: Optional[str] = None,
        test_mode: Optional[bool] = None,
        created_after: Optional[Union[datetime, str]] = None,
        created_before: Optional[Union[datetime, str]] = None,
        options: Optional[RequestOptions] = None,
    ) -> AsyncPages[models.ListedEmail]:
        """List emails. Newest first, without `html` and `text`.

        Args:
            limit: Records of a page.
            cursor: `next_cursor` of the page before.
            status: State of the record.
            to: Only emails to this address, copies included. Letter case does not matter.
            from_: Only emails from this address, without its name.
            tag: Only emails with this tag.
            test_mode: Whether it was made with a test key.
            created_after: Only what was created after this time.
            created_before: Only what was created before this time.
        """
        call = Call("GET", "/v1/emails", query={"limit": limit, "cursor": cursor, "status": status, "to": to, "from": from_, "tag": tag, "test_mode": test_mode, "created_after": created_after, "created_before": created_before}, result=models.ListedEmail)
        return AsyncPages(self._transport, call, options, "cursor")


class AsyncTemplatesResource:
    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def create(
        self,
        *,
        name: str,
        body: str,
        slug: Optional[str] = None,
        options: Optional[RequestOptions] = None,
    ) -> models.SmsTemplate:
        """Create an SMS template. Placeholders are written `{{name}}`; `variables` lists them.

        Args:
            name: Name for people.
            body: Text with placeholders: `{{name}}`.
            slug: Short name for requests; derived from the name when left out.
        """
        call = Call("POST", "/v1/sms-templates", body=given({"name": name, "body": body, "slug": slug}), result=models.SmsTemplate)
        result: models.SmsTemplate = await self._transport.send(call, options)
        return result

    async def get(
        self,
        id: str,
        *,
        options: Optional[RequestOptions] = None,
    ) -> models.SmsTemplate:
        """Retrieve an SMS template. Retrieve an SMS template."""
        call = Call("GET", f"/v1/sms-templates/{segment('id', id)}", result=models.SmsTemplate)
        result: models.SmsTemplate = await self._transport.send(call, options)
        return result

    def list(
        self,
        *,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        options: Optional[RequestOptions] = None,
    ) -> AsyncPages[models.SmsTemplate]:
        """List SMS templates. List SMS templates.

        Args:
            limit: Records of a page.
            cursor: `next_cursor` of the page before.
        """
        call = Call("GET", "/v1/sms-templates", query={"limit": limit, "cursor": cursor}, result=models.SmsTemplate)
        return AsyncPages(self._transport, call, options, "cursor")

    async def update(
        self,
        id: str,
        *,
        name: Optional[str] = None,
        body: Optional[str] = None,
        options: Optional[RequestOptions] = None,
    ) -> models.SmsTemplate:
        """Update an SMS template. Raises `version`. Messages that were accepted before keep their text.

        Args:
            name: Name for people.
            body: Text with placeholders: `{{name}}`.
        """
        call = Call("PATCH", f"/v1/sms-templates/{segment('id', id)}", body=given({"name": name, "body": body}), result=models.SmsTemplate)
        result: models.SmsTemplate = await self._transport.send(call, options)
        return result

    async def delete(
        self,
        id: str,
        *,
        options: Optional[RequestOptions] = None,
    ) -> None:
        """Delete an SMS template. Delete an SMS template."""
        call = Call("DELETE", f"/v1/sms-templates/{segment('id', id)}")
        await self._transport.send(call, options)

    async def render(
        self,
        id: str,
        *,
        variables: Optional[Dict[str, Union[str, float, bool]]] = None,
        options: Optional[RequestOptions] = None,
    ) -> models.RenderedSmsTemplate:
        """Render an SMS template. Shows the text as a send would measure it. Missing variables stay standing.

        Args:
            variables: Placeholders of the text.
        """
        call = Call("POST", f"/v1/sms-templates/{segment('id', id)}/render", body=given({"variables": variables}), result=models.RenderedSmsTemplate)
        result: models.RenderedSmsTemplate = await self._transport.send(call, options)
        return result


class AsyncSenderIdsResource:
    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def request(
        self,
        *,
        sender_id: str,
        countries: List[str],
        registered_entity: str,
        use_case: str,
        sample_message: str,
        registration_doc_url: Union[Optional[str], Unset] = UNSET,
        notes: Union[Optional[str], Unset] = UNSET,
        options: Optional[RequestOptions] = None,
    ) -> models.RegisteredSenderId:
        """Request a sender ID. Open to workspaces that bought 10,000 credits. Each country decides by itself.

        Args:
            sender_id: The name: 1 to 11 letters, digits, spaces or . & _ -, at least one letter, no space at either end.
            countries: Countries to register it in, as ISO 3166-1 alpha-2 codes.
            registered_entity: Legal name of the company that owns the name.
            use_case: What the messages are for.
            sample_message: A typical message.
            registration_doc_url: Registration document.
            notes: What the reviewer should know.
        """
        call = Call("POST", "/v1/sender-ids", body=given({"sender_id": sender_id, "countries": countries, "registered_entity": registered_entity, "use_case": use_case, "sample_message": sample_message, "registration_doc_url": registration_doc_url, "notes": notes}, "registration_doc_url", "notes"), result=models.RegisteredSenderId)
        result: models.RegisteredSenderId = await self._transport.send(call, options)
        return result

    async def list(
        self,
        *,
        options: Optional[RequestOptions] = None,
    ) -> models.SenderIdList:
        """List sender IDs. All of the workspace, newest first."""
        call = Call("GET", "/v1/sender-ids", result=models.SenderIdList)
        result: models.SenderIdList = await self._transport.send(call, options)
        return result

    async def update(
        self,
        id: str,
        *,
        countries: Optional[List[str]] = None,
        registered_entity: Optional[str] = None,
        use_case: Optional[str] = None,
        sample_message: Optional[str] = None,
        registration_doc_url: Union[Optional[str], Unset] = UNSET,
        notes: Union[Optional[str], Unset] = UNSET,
        options: Optional[RequestOptions] = None,
    ) -> models.RegisteredSenderId:
        """Update a sender ID. Only while it is pending; a country that is decided stays.

        Args:
            countries: Countries to register it in, as ISO 3166-1 alpha-2 codes.
            registered_entity: Legal name of the company that owns the name.
            use_case: What the messages are for.
            sample_message: A typical message.
            registration_doc_url: Registration document.
            notes: What the reviewer should know.
        """
        call = Call("PATCH", f"/v1/sender-ids/{segment('id', id)}", body=given({"countries": countries, "registered_entity": registered_entity, "use_case": use_case, "sample_message": sample_message, "registration_doc_url": registration_doc_url, "notes": notes}, "registration_doc_url", "notes"), result=models.RegisteredSenderId)
        result: models.RegisteredSenderId = await self._transport.send(call, options)
        return result


class AsyncDomainsResource:
    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def create(
        self,
        *,
        name: str,
        options: Optional[RequestOptions] = None,
    ) -> models.Domain:
        """Create a domain. Makes a DKIM key and shows the DNS records to publish. Only the DKIM record is required.

        Args:
            name: The domain of the From addresses, exactly.
        """
        call = Call("POST", "/v1/domains", body=given({"name": name}), result=models.Domain)
        result: models.Domain = await self._transport.send(call, options)
        return result

    async def get(
        self,
        id: str,
        *,
        options: Optional[RequestOptions] = None,
    ) -> models.Domain:
        """Retrieve a domain. Retrieve a domain."""
        call = Call("GET", f"/v1/domains/{segment('id', id)}", result=models.Domain)
        result: models.Domain = await self._transport.send(call, options)
        return result

    def list(
        self,
        *,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        options: Optional[RequestOptions] = None,
    ) -> AsyncPages[models.Domain]:
        """List domains. List domains.

        Args:
            limit: Records of a page.
            cursor: `next_cursor` of the page before.
        """
        call = Call("GET", "/v1/domains", query={"limit": limit, "cursor": cursor}, result=models.Domain)
        return AsyncPages(self._transport, call, options, "cursor")

    async def delete(
        self,
        id: str,
        *,
        options: Optional[RequestOptions] = None,
    ) -> None:
        """Delete a domain. Emails from it that are not handed over yet fail with `domain_unverified`."""
        call = Call("DELETE", f"/v1/domains/{segment('id', id)}")
        await self._transport.send(call, options)

    async def verify(
        self,
        id: str,
        *,
        options: Optional[RequestOptions] = None,
    ) -> models.Domain:
        """Verify a domain. Looks up the records within 5 seconds. `status` shows the result."""
        call = Call("POST", f"/v1/domains/{segment('id', id)}/verify", body={}, result=models.Domain)
        result: models.Domain = await self._transport.send(call, options)
        return result


class AsyncSuppressionsResource:
    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def create(
        self,
        *,
        address: str,
        options: Optional[RequestOptions] = None,
    ) -> models.EmailAddressSuppression:
        """Suppress an email address. Answers 200 where the address is suppressed already.

        Args:
            address: Email address that is not sent to any more.
        """
        call = Call("POST", "/v1/suppressions", body=given({"address": address}), result=models.EmailAddressSuppression)
        result: models.EmailAddressSuppression = await self._transport.send(call, options)
        return result

    def list(
        self,
        *,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        channel: Optional[Literal["sms", "email"]] = None,
        options: Optional[RequestOptions] = None,
    ) -> AsyncPages[models.Suppression]:
        """List suppressions. Numbers that replied STOP, and email addresses that are not sent to, newest first.

        Args:
            limit: Records of a page.
            cursor: `next_cursor` of the page before.
            channel: Channel of the suppression.
        """
        call = Call("GET", "/v1/suppressions", query={"limit": limit, "cursor": cursor, "channel": channel}, result=models.Suppression)
        return AsyncPages(self._transport, call, options, "cursor")

    async def delete(
        self,
        address: str,
        *,
        channel: Optional[Literal["sms", "email"]] = None,
        sender_id: Optional[str] = None,
        options: Optional[RequestOptions] = None,
    ) -> None:
        """Delete a suppression. All suppressions of the address, or with `sender_id` those of one sender ID. A complaint stays (409): only an operator deletes it.

        Args:
            channel: Channel of the suppression.
            sender_id: The sender ID.
        """
        call = Call("DELETE", f"/v1/suppressions/{segment('address', address)}", query={"channel": channel, "sender_id": sender_id})
        await self._transport.send(call, options)


class AsyncQuotesResource:
    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def create(
        self,
        body: Union[models.QuoteOtp, models.QuoteTransactionalSms, models.QuoteMessage, models.QuoteEmail],
        *,
        options: Optional[RequestOptions] = None,
    ) -> models.Quote:
        """Create a quote. Counts and charges nothing; `quote_id` fixes the price of one send for a minute. A gate that refuses without a `type` is that of anti-spam: such a send is accepted, blocked and refunded."""
        call = Call("POST", "/v1/quote", body=body, result=models.Quote)
        result: models.Quote = await self._transport.send(call, options)
        return result


class AsyncPricesResource:
    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def list(
        self,
        *,
        options: Optional[RequestOptions] = None,
    ) -> models.PublicPriceList:
        """Retrieve the price list. Credits per segment for every country and network, cheapest first."""
        call = Call("GET", "/v1/pricing", result=models.PublicPriceList)
        result: models.PublicPriceList = await self._transport.send(call, options)
        return result


class AsyncBalanceResource:
    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def get(
        self,
        *,
        options: Optional[RequestOptions] = None,
    ) -> models.AccountBalance:
        """Retrieve the balance. One wallet for both modes of a workspace."""
        call = Call("GET", "/v1/balance", result=models.AccountBalance)
        result: models.AccountBalance = await self._transport.send(call, options)
        return result


class AsyncLedgerResource:
    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    def list(
        self,
        *,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        kind: Optional[Literal["charge", "refund", "top_up"]] = None,
        options: Optional[RequestOptions] = None,
    ) -> AsyncPages[models.LedgerEntry]:
        """List ledger entries. Newest first. `Accept: text/csv` streams the whole ledger from `cursor` on.

        Args:
            limit: Records of a page.
            cursor: `next_cursor` of the page before.
            kind: Kind of the record.
        """
        call = Call("GET", "/v1/ledger", query={"limit": limit, "cursor": cursor, "kind": kind}, result=models.LedgerEntry)
        return AsyncPages(self._transport, call, options, "cursor")


class AsyncEventsResource:
    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    def list(
        self,
        *,
        after: Optional[int] = None,
        limit: Optional[int] = None,
        type: Optional[Literal["otp.sent", "otp.failed", "sms.delivered", "sms.failed", "sms.blocked", "credit_balance.topped_up", "otp.delivered", "otp.verified", "otp.expired", "sms.sent", "sms.cancelled", "credit_balance.low", "credit_balance.top_up_failed", "sender_id.approved", "sender_id.rejected", "domain.verified", "domain.failed", "prefix.throttled", "prefix.blocked", "webhook.disabled", "sms.queued", "sms.rejected", "email.queued", "email.sent", "email.delivered", "email.delayed", "email.bounced", "email.complained", "email.opened", "email.clicked", "email.failed", "email.cancelled", "email.unsubscribed"]] = None,
        options: Optional[RequestOptions] = None,
    ) -> AsyncPages[Union[models.EventOfVariantA, models.EventOfVariantB]]:
        """List events. Oldest first, in the envelope of the webhook deliveries, for 30 days.

        Args:
            after: Only events after the one with this number.
            limit: Records of a page.
            type: Name of an event.
        """
        call = Call("GET", "/v1/events", query={"after": after, "limit": limit, "type": type}, result=Union[models.EventOfVariantA, models.EventOfVariantB])
        return AsyncPages(self._transport, call, options, "after")


class AsyncWebhooksResource:
    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def create(
        self,
        *,
        url: str,
        events: List[Literal["otp.sent", "otp.failed", "sms.delivered", "sms.failed", "sms.blocked", "credit_balance.topped_up", "otp.delivered", "otp.verified", "otp.expired", "sms.sent", "sms.cancelled", "credit_balance.low", "credit_balance.top_up_failed", "sender_id.approved", "sender_id.rejected", "domain.verified", "domain.failed", "prefix.throttled", "prefix.blocked", "webhook.disabled", "sms.queued", "sms.rejected", "email.queued", "email.sent", "email.delivered", "email.delayed", "email.bounced", "email.complained", "email.opened", "email.clicked", "email.failed", "email.cancelled", "email.unsubscribed", "*"]],
        description: Union[Optional[str], Unset] = UNSET,
        options: Optional[RequestOptions] = None,
    ) -> models.CreatedWebhook:
        """Create a webhook. At most 20. `secret` is shown only here; a retry with the same `Idempotency-Key` shows it again.

        Args:
            url: HTTPS address of the receiver, on the public internet.
            events: Names of the events that the endpoint gets, or `["*"]` for all of them.
            description: Free text for people.
        """
        call = Call("POST", "/v1/webhooks", body=given({"url": url, "events": events, "description": description}, "description"), result=models.CreatedWebhook)
        result: models.CreatedWebhook = await self._transport.send(call, options)
        return result

    async def get(
        self,
        id: str,
        *,
        options: Optional[RequestOptions] = None,
    ) -> models.Webhook:
        """Retrieve a webhook. Without its secret. `disabled_reason` says why it is disabled."""
        call = Call("GET", f"/v1/webhooks/{segment('id', id)}", result=models.Webhook)
        result: models.Webhook = await self._transport.send(call, options)
        return result

    def list(
        self,
        *,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        options: Optional[RequestOptions] = None,
    ) -> AsyncPages[models.Webhook]:
        """List webhooks. Newest first, without secrets.

        Args:
            limit: Records of a page.
            cursor: `next_cursor` of the page before.
        """
        call = Call("GET", "/v1/webhooks", query={"limit": limit, "cursor": cursor}, result=models.Webhook)
        return AsyncPages(self._transport, call, options, "cursor")

    async def update(
        self,
        id: str,
        *,
        url: Optional[str] = None,
        events: Optional[List[Literal["otp.sent", "otp.failed", "sms.delivered", "sms.failed", "sms.blocked", "credit_balance.topped_up", "otp.delivered", "otp.verified", "otp.expired", "sms.sent", "sms.cancelled", "credit_balance.low", "credit_balance.top_up_failed", "sender_id.approved", "sender_id.rejected", "domain.verified", "domain.failed", "prefix.throttled", "prefix.blocked", "webhook.disabled", "sms.queued", "sms.rejected", "email.queued", "email.sent", "email.delivered", "email.delayed", "email.bounced", "email.complained", "email.opened", "email.clicked", "email.failed", "email.cancelled", "email.unsubscribed", "*"]]] = None,
        description: Union[Optional[str], Unset] = UNSET,
        status: Optional[Literal["enabled", "disabled"]] = None,
        options: Optional[RequestOptions] = None,
    ) -> models.Webhook:
        """Update a webhook. Disabling it fails what is pending. Enabling it starts anew.

        Args:
            url: HTTPS address of the receiver, on the public internet.
            events: Names of the events that the endpoint gets, or `["*"]` for all of them.
            description: Free text for people.
            status: A disabled endpoint gets nothing, and what was pending for it fails.
        """
        call = Call("PATCH", f"/v1/webhooks/{segment('id', id)}", body=given({"url": url, "events": events, "description": description, "status": status}, "description"), result=models.Webhook)
        result: models.Webhook = await self._transport.send(call, options)
        return result

    async def delete(
        self,
        id: str,
        *,
        options: Optional[RequestOptions] = None,
    ) -> None:
        """Delete a webhook. What is pending for it is not delivered."""
        call = Call("DELETE", f"/v1/webhooks/{segment('id', id)}")
        await self._transport.send(call, options)

    async def rotate_secret(
        self,
        id: str,
        *,
        options: Optional[RequestOptions] = None,
    ) -> models.RotatedSecret:
        """Rotate the secret of a webhook. The old and the new secret both sign for 24 hours."""
        call = Call("POST", f"/v1/webhooks/{segment('id', id)}/rotate-secret", body={}, result=models.RotatedSecret)
        result: models.RotatedSecret = await self._transport.send(call, options)
        return result

    async def test(
        self,
        id: str,
        *,
        type: Optional[Literal["otp.sent", "otp.failed", "sms.delivered", "sms.failed", "sms.blocked", "credit_balance.topped_up", "otp.delivered", "otp.verified", "otp.expired", "sms.sent", "sms.cancelled", "credit_balance.low", "credit_balance.top_up_failed", "sender_id.approved", "sender_id.rejected", "domain.verified", "domain.failed", "prefix.throttled", "prefix.blocked", "webhook.disabled", "sms.queued", "sms.rejected", "email.queued", "email.sent", "email.delivered", "email.delayed", "email.bounced", "email.complained", "email.opened", "email.clicked", "email.failed", "email.cancelled", "email.unsubscribed"]] = None,
        options: Optional[RequestOptions] = None,
    ) -> models.WebhookDelivery:
        """Send a test event. Posts a sample once, without retry, also to a disabled webhook. Its `sequence` is 0.

        Args:
            type: Name of the event to send; by default the first one that it subscribes to.
        """
        call = Call("POST", f"/v1/webhooks/{segment('id', id)}/test", body=given({"type": type}), result=models.WebhookDelivery)
        result: models.WebhookDelivery = await self._transport.send(call, options)
        return result

    def list_deliveries(
        self,
        id: str,
        *,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        status: Optional[Literal["pending", "delivered", "failed"]] = None,
        event_type: Optional[Literal["otp.sent", "otp.failed", "sms.delivered", "sms.failed", "sms.blocked", "credit_balance.topped_up", "otp.delivered", "otp.verified", "otp.expired", "sms.sent", "sms.cancelled", "credit_balance.low", "credit_balance.top_up_failed", "sender_id.approved", "sender_id.rejected", "domain.verified", "domain.failed", "prefix.throttled", "prefix.blocked", "webhook.disabled", "sms.queued", "sms.rejected", "email.queued", "email.sent", "email.delivered", "email.delayed", "email.bounced", "email.complained", "email.opened", "email.clicked", "email.failed", "email.cancelled", "email.unsubscribed"]] = None,
        created_after: Optional[Union[datetime, str]] = None,
        options: Optional[RequestOptions] = None,
    ) -> AsyncPages[models.WebhookDelivery]:
        """List webhook deliveries. Newest first, each with its attempts.

        Args:
            limit: Records of a page.
            cursor: `next_cursor` of the page before.
            status: `pending` includes waiting for a retry.
            event_type: Name of an event.
            created_after: RFC 3339 time, exclusive.
        """
        call = Call("GET", f"/v1/webhooks/{segment('id', id)}/deliveries", query={"limit": limit, "cursor": cursor, "status": status, "event_type": event_type, "created_after": created_after}, result=models.WebhookDelivery)
        return AsyncPages(self._transport, call, options, "cursor")

    async def replay_delivery(
        self,
        id: str,
        *,
        options: Optional[RequestOptions] = None,
    ) -> models.WebhookDelivery:
        """Replay a webhook delivery. Makes a new delivery with the same event id and the same bytes."""
        call = Call("POST", f"/v1/webhook-deliveries/{segment('id', id)}/replay", body={}, result=models.WebhookDelivery)
        result: models.WebhookDelivery = await self._transport.send(call, options)
        return result

    async def recover(
        self,
        id: str,
        *,
        since: Union[datetime, str],
        options: Optional[RequestOptions] = None,
    ) -> models.WebhookRecovery:
        """Recover missed events. Delivers what failed since a time, and what was missed while the webhook was disabled: at most 100 events a second, with the same ids and bytes. `since` is at most 30 days ago: replace the time of the example.

        Args:
            since: RFC 3339 time, at most 30 days ago.
        """
        call = Call("POST", f"/v1/webhooks/{segment('id', id)}/recover", body=given({"since": since}), result=models.WebhookRecovery)
        result: models.WebhookRecovery = await self._transport.send(call, options)
        return result

    async def get_recovery(
        self,
        id: str,
        recovery_id: str,
        *,
        options: Optional[RequestOptions] = None,
    ) -> models.WebhookRecovery:
        """Retrieve a recovery. How many deliveries it makes, and how many it has made."""
        call = Call("GET", f"/v1/webhooks/{segment('id', id)}/recover/{segment('recovery_id', recovery_id)}", result=models.WebhookRecovery)
        result: models.WebhookRecovery = await self._transport.send(call, options)
        return result


class AsyncSystemResource:
    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def health(
        self,
        *,
        options: Optional[RequestOptions] = None,
    ) -> models.Health:
        """Check that the process is alive. Asks no dependency."""
        call = Call("GET", "/health", result=models.Health)
        result: models.Health = await self._transport.send(call, options)
        return result

    async def readiness(
        self,
        *,
        options: Optional[RequestOptions] = None,
    ) -> models.Readiness:
        """Check that the process can work. Answers 503 while the database is unavailable. Each gateway counts the calls of an address against `ip_unauthenticated_per_minute`."""
        call = Call("GET", "/ready", result=models.Readiness)
        result: models.Readiness = await self._transport.send(call, options)
        return result
