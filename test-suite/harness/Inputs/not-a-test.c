// RUN: false
// What lies in Inputs is never run.
