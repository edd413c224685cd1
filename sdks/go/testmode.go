package watchword

// TestOutcome is what happens to a message of a key that begins with svc_test_, by the last two digits of the number.
type TestOutcome string

// What can happen to a message. Nothing is sent or charged.
const (
	TestDelivered           TestOutcome = "00"
	TestNoReceipt           TestOutcome = "03"
	TestAbsentSubscriber    TestOutcome = "11"
	TestNoRoute             TestOutcome = "16"
	TestOptedOut            TestOutcome = "20"
	TestProviderTimeout     TestOutcome = "29"
	TestInsufficientCredits TestOutcome = "33"
	TestRateLimited         TestOutcome = "36"
	TestContentBlocked      TestOutcome = "40"
	TestSecondCarrier       TestOutcome = "50"
	TestExpired             TestOutcome = "61"
	TestSingleAttempt       TestOutcome = "62"
)

// TestNumber returns a number whose messages end in this way.
func TestNumber(outcome TestOutcome) string { return "+23480300000" + string(outcome) }

// TestCode returns the code of a one-time password that a test key sent. length is 4 to 8.
func TestCode(length int) string { return "12345678"[:min(max(length, 0), 8)] }
