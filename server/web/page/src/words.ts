// The page's own words in the reader's language. What the games say comes from the service, in English.
import { en } from "./words.en";
import { it } from "./words.it";

export type Words = typeof en;
export const languages: Record<string, Words> = { en, it };

const wished = localStorage.getItem("seatmate-language") ?? navigator.language.slice(0, 2);
export const language = wished in languages ? wished : "en";
export const words: Words = languages[language]!;

/** Another language from now on. */
export function speak(code: string): void {
  localStorage.setItem("seatmate-language", code);
  location.reload();
}
