# `npm start` and `npm test` install, and ask nothing further.
audit=false
fund=false
