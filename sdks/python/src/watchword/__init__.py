"""Send one-time passwords, SMS and emails with Watchword."""
from . import errors, models
from ._call import RequestOptions
from ._pages import AsyncPages, Page, Pages
from ._version import VERSION as __version__
from .client import AsyncWatchword, Watchword
from .errors import ApiError, ConnectionError, SignatureError, TimeoutError, WatchwordError
from .testing import test_code, test_number
from .webhook_signature import verify_webhook

__all__ = [
    "ApiError",
    "AsyncPages",
    "AsyncWatchword",
    "ConnectionError",
    "Page",
    "Pages",
    "RequestOptions",
    "SignatureError",
    "TimeoutError",
    "Watchword",
    "WatchwordError",
    "__version__",
    "errors",
    "models",
    "test_code",
    "test_number",
    "verify_webhook",
]
