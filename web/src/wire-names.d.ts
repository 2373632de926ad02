// Names that the generated wire types use without importing them: what is JSON of any shape on
// the server has a shape here.
type CarcassonneView = import("./wire/CarcassonneView").CarcassonneView;
type TinytownView = import("./wire/TinytownView").TinytownView;
type TileInfo = import("./wire/TileInfo").TileInfo;
type GameEvent = import("./game/events").GameEvent;
type JsonSchema = import("./create/schema").JsonSchema;
type CarcassonneBotView = import("./wire/CarcassonneBotView").CarcassonneBotView;
