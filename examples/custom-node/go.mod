module example.com/acme/ironflow-shout

go 1.26.0

require github.com/ironflow/ironflow v0.0.0

replace github.com/ironflow/ironflow => ../..
