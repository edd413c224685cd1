import java.time.OffsetDateTime;
import java.util.List;
import org.openapitools.client.ApiClient;
import org.openapitools.client.ApiException;
import org.openapitools.client.api.EventsApi;
import org.openapitools.client.api.MoneyApi;
import org.openapitools.client.api.OneTimePasswordsApi;
import org.openapitools.client.model.*;

/** What a client from OpenAPI Generator does: {@code Client <base URL> <key>}. */
public class Client {
    static final List<String> NUMBERS = List.of("+2348030000001", "+2348030000002", "+2348030000003");

    public static void main(String[] given) throws Exception {
        ApiClient client = new ApiClient().setBasePath(given[0]);
        client.setBearerToken(given[1]);
        sendVerifyAndList(new OneTimePasswordsApi(client));
        readEvent(new EventsApi(client));
        meetLimit(new MoneyApi(client));
    }

    static void sendVerifyAndList(OneTimePasswordsApi passwords) throws ApiException {
        OffsetDateTime began = OffsetDateTime.now().minusMinutes(1);
        SentOtp sent = null;
        for (String number : NUMBERS) {
            sent = passwords.sendOtp(new SendOtpRequest().phoneNumber(number), number, null);
        }
        VerifyOtpRequest guess = new VerifyOtpRequest().otpId(sent.getId()).code("123 456");
        check(passwords.verifyOtp(guess, null, null).getValid(), "verify");

        OtpPage first = passwords.listOtps(2, null, null, null, true, began, null, null, null);
        check(first.getData().size() == 2, first);
        OtpPage second = passwords.listOtps(2, first.getNextCursor(), null, null, null, null, null, null, null);
        check(!first.getData().contains(second.getData().get(0)), second);

        try {
            passwords.sendOtp(new SendOtpRequest().phoneNumber(NUMBERS.get(1)), NUMBERS.get(0), null);
            check(false, "no 409");
        } catch (ApiException error) {
            check(error.getCode() == 409, error);
            check(error.getResponseBody().contains("idempotency_conflict"), error.getResponseBody());
        }
    }

    static void readEvent(EventsApi events) throws Exception {
        for (int tries = 0; tries < 20; tries++) {
            List<EventsPageDataInner> seen = events.listEvents(null, null, null, null).getData();
            if (!seen.isEmpty()) {
                check(seen.get(0).getEventOfVariantA().getSequence() >= 1, seen);
                return;
            }
            Thread.sleep(500);
        }
        check(false, "no event");
    }

    static void meetLimit(MoneyApi money) throws ApiException {
        for (int tries = 0; tries < 100; tries++) {
            try {
                money.getBalance(null);
            } catch (ApiException error) {
                check(error.getCode() == 429, error);
                check(Integer.parseInt(error.getResponseHeaders().get("retry-after").get(0)) >= 1, "Retry-After");
                System.exit(0);
            }
        }
        check(false, "no 429");
    }

    static void check(boolean isRight, Object what) {
        if (!isRight) throw new AssertionError(what);
    }
}
