"""HTTP: who may ask, what comes in, how answers and streams of events go out, and an end in order."""
