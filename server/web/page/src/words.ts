// The page's own words in the reader's language. What the games say comes from the service, in English.
import { en } from "./words.en";
import { it } from "./words.it";

export type Words = typeof en;
export const languages: Record<string, Words> = { en, it };

const wished = localStorage.getItem("seatmate-language") ?? navigator.language.slice(0, 2);
export const language = wished in languages ? wished : "en";
export const words: Words = languages[language]!;

/** `Seat 1` in a text of a game or of the service, which count from 0, as the page calls that seat. */
export const seatsNamed = (text: string, called: (seat: number) => string = words.seat): string =>
  text.replace(/\b[Ss]eat (\d)\b/g, (_, number) => called(Number(number)));

/** Another language from now on. */
export function speak(code: string): void {
  localStorage.setItem("seatmate-language", code);
  location.reload();
}
