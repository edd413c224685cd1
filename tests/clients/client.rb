# What a client from OpenAPI Generator does: `client.rb <base URL> <key>`.
require 'uri'
require 'openapi_client'

NUMBERS = %w[+2348030000001 +2348030000002 +2348030000003].freeze

def check(is_right, what)
  raise what.inspect unless is_right
end

def refusal
  yield
  nil
rescue OpenapiClient::ApiError => error
  error
end

base_url = URI(ARGV[0])
config = OpenapiClient::Configuration.new
config.scheme = base_url.scheme
config.host = "#{base_url.host}:#{base_url.port}"
config.access_token = ARGV[1]
client = OpenapiClient::ApiClient.new(config)
passwords = OpenapiClient::OneTimePasswordsApi.new(client)
events = OpenapiClient::EventsApi.new(client)
money = OpenapiClient::MoneyApi.new(client)
request = ->(number) { OpenapiClient::SendOtpRequest.new(phone_number: number) }

began = Time.now - 60
sent = NUMBERS.map { |number| passwords.send_otp(request[number], idempotency_key: number) }
guess = OpenapiClient::VerifyOtpRequest.new(otp_id: sent.last.id, code: '123 456')
check(passwords.verify_otp(guess).valid, 'verify')

first = passwords.list_otps(limit: 2, created_after: began, test_mode: true)
check(first.data.size == 2, first)
second = passwords.list_otps(limit: 2, cursor: first.next_cursor)
check(!first.data.map(&:id).include?(second.data.first.id), second)

seen = []
20.times do
  seen = events.list_events.data
  break unless seen.empty?

  sleep 0.5
end
check(seen.first.is_a?(OpenapiClient::EventOfVariantA) && seen.first.sequence >= 1, seen)

conflict = refusal { passwords.send_otp(request[NUMBERS[1]], idempotency_key: NUMBERS[0]) }
check(conflict&.code == 409 && conflict.response_body.include?('idempotency_conflict'), conflict)

limited = nil
100.times { limited ||= refusal { money.get_balance } }
check(limited&.code == 429 && limited.response_headers['retry-after'].to_i >= 1, limited)
