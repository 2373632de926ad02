// What the server would not do, by its code. In English its own words tell more, so these are for the others.
export default {
  bad_request: "The request could not be understood.",
  not_logged_in: "Sign in first, or check name and password.",
  wrong_password: "The present password is not right; nothing was changed.",
  forbidden: "This is not allowed.",
  not_found: "There is no such thing here.",
  illegal_move: "The rules do not allow this move.",
  not_your_turn: "It is not your turn.",
  conflict: "This does not fit what is there already; nothing was changed.",
  too_large: "That is too large.",
  too_many_requests: "Too many requests. Try again in a moment.",
  unavailable: "The server is busy. Try again in a moment.",
  internal: "The server failed; nothing was changed.",
};
