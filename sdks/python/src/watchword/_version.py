# Written by `npm run docs` from the OpenAPI document. Do not edit.
VERSION = "0.3.0"
