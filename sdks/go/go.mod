module github.com/watchword/watchword/sdks/go

go 1.24
