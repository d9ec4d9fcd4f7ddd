#!/usr/bin/env bash
# When programs that do not end are stopped by limits of 1 second and 300 MB, and how much
# memory they have used by then. The goal: within 1.5 seconds, and 400 MB.
exec "$(dirname "$0")/../tests/limits/run" --table
