// Short sounds, made on the spot: no files, nothing before the first gesture, easy to mute.

import { settings } from "../session/settings.svelte";

export type SoundName = "place" | "meeple" | "score" | "turn" | "chat" | "end";

interface Note {
  /** In hertz. */
  pitch: number;
  /** Seconds after the start. */
  after: number;
  long: number;
  loud: number;
  shape: OscillatorType;
  /** Slides to this pitch. */
  to?: number;
}

const tone = (pitch: number, after: number, long = 0.18, loud = 0.12, shape: OscillatorType = "sine"): Note => ({
  pitch,
  after,
  long,
  loud,
  shape,
});

const SOUNDS: Record<SoundName, Note[]> = {
  place: [
    { ...tone(190, 0, 0.09, 0.35, "triangle"), to: 70 },
    { ...tone(900, 0, 0.02, 0.05, "square"), to: 300 },
  ],
  meeple: [{ ...tone(520, 0, 0.07, 0.16, "triangle"), to: 340 }],
  score: [tone(660, 0, 0.16), tone(880, 0.09, 0.24)],
  turn: [tone(523, 0, 0.16), tone(784, 0.12, 0.3)],
  chat: [tone(740, 0, 0.08, 0.08)],
  end: [tone(392, 0, 0.5), tone(523, 0.14, 0.5), tone(659, 0.28, 0.7)],
};

const KEPT = "sounds";
let context: AudioContext | null = null;

export function muted(): boolean {
  return localStorage.getItem(KEPT) === "off";
}

export function mute(off: boolean): void {
  localStorage.setItem(KEPT, off ? "off" : "on");
}

export function playSound(name: SoundName): void {
  // Browsers stay silent, and say so in the console, until the reader has done something.
  const loud = settings().volume / 100;
  if (muted() || loud === 0 || !navigator.userActivation?.hasBeenActive) return;
  context ??= new AudioContext();
  const start = context.currentTime;
  for (const note of SOUNDS[name]) sound(context, start + note.after, { ...note, loud: note.loud * loud });
}

function sound(context: AudioContext, at: number, note: Note): void {
  const [source, volume] = [context.createOscillator(), context.createGain()];
  source.type = note.shape;
  source.frequency.setValueAtTime(note.pitch, at);
  if (note.to !== undefined) source.frequency.exponentialRampToValueAtTime(note.to, at + note.long);
  volume.gain.setValueAtTime(0, at);
  volume.gain.linearRampToValueAtTime(note.loud, at + 0.008);
  volume.gain.exponentialRampToValueAtTime(0.0008, at + note.long);
  source.connect(volume).connect(context.destination);
  source.start(at);
  source.stop(at + note.long);
}
