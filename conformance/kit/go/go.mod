module wirecanon-testee

go 1.19
