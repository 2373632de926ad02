// The foot of every page that scrolls.
export default {
  about: "About",
  api: "For programs",
  legal:
    "Bastide is free software. Carcassonne is named only as the game whose rules are implemented; there is no connection with its makers.",
};
