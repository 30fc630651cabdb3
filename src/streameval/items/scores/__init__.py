"""Class scores of learners as probability forecasts: measures, reliability, and skills."""
