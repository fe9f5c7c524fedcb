module example.com/journey

go 1.24

require example.com/fas v0.0.0

require gopkg.in/validator.v2 v2.0.1 // indirect

replace example.com/fas => ./client
