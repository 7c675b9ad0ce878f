/** All that this page says by itself; everything else comes from the study. */

export const WORDS = {
  parts: {
    consent: "Consent",
    welcome: "Welcome",
    instructions: "Instructions",
    check: "Check",
    practice: "Practice",
    trial: "Task",
    debriefing: "Debriefing",
    end: "The end",
  } as Readonly<Record<string, string>>,
  study: "Study",
  of: (done: number, total: number): string => `${done} of ${total} done`,
  send: "Send",
  next: "Continue",
  start: "Start",
  loading: "One moment…",
  nothingKept:
    "This browser keeps nothing for this page (private mode, or storage is switched off): please don’t reload it before the end.",

  canGoOnIn: (seconds: number): string => `You can go on in ${span(seconds)}.`,
  canGoOn: "You can go on now.",
  notYet: (seconds: number): string => `Please take your time: you can go on in ${span(seconds)}.`,
  goesOnIn: (seconds: number): string => `Goes on by itself in ${span(seconds)}`,
  left: (seconds: number): string => `Time left: ${span(seconds)}`,
  secondsLeft: (seconds: number): string => `${seconds} seconds left.`,

  answerMissing: "Please give an answer first.",
  wholeNumber: "Please enter a whole number.",
  atLeast: (least: number): string => `Please enter ${least} or more.`,
  atMost: (most: number): string => `Please enter ${most} or less.`,
  range: (least: number | null, most: number | null): string => {
    if (least !== null && most !== null) return `A whole number from ${least} to ${most}`;
    if (least !== null) return `A whole number, ${least} or more`;
    if (most !== null) return `A whole number, ${most} or less`;
    return "A whole number";
  },
  writeFirst: "Please write something first.",
  writeMore: (missing: number): string =>
    `Please write a little more: at least ${missing} more character${missing === 1 ? "" : "s"}.`,
  tooLong: (over: number): string =>
    `This is too long: please take out ${over} character${over === 1 ? "" : "s"}.`,
  characters: (count: number, most: number): string => `${count} of ${most} characters`,
  keptHere: "What you write is kept on this device until it is sent.",
  unanswered: (places: readonly number[]): string =>
    places.length === 1
      ? `Question ${places[0]} has no answer yet.`
      : `These questions have no answer yet: ${places.join(", ")}.`,
  planEmpty: "Your plan has no steps yet. Press again to send it as it is.",
  earlier: "What you wrote before",
  sendPlan: "Send this plan",
  press: "Same",
  pressHint: (n: number): string =>
    `Press when the letter is the same as the one ${n === 1 ? "just before" : `${n} letters before`}.`,
  beingShown: "Please watch.",
  picture: "Picture",

  code: "Your completion code",
  copy: "Copy the code",
  copied: "Copied.",
  copyByHand: "Please copy it by hand: it is selected now.",
  goBack: (host: string): string => `Return to ${host}`,
  canClose: "You can close this page now.",

  saveText:
    "One thing is left to do. Your answers are on this device only: please save them as a file, and give it to those who invited you.",
  saveFile: "Save my answers",
  nextPerson: "Begin anew, for the next person",

  lost: "Connection lost, trying again…",
  busy: "The study is busy, trying again…",
  inSeconds: (seconds: number): string => `in ${span(seconds)}`,
  answerKept: "Your answer is kept on this device.",
  tryNow: "Try now",
  found: "Connected again.",
  sending: "Sending…",
  moved: "That screen had its answer already; the study goes on here.",
  notTaken: (why: string): string => `Your answer was not accepted: ${why}`,

  pausedTitle: "The study is paused",
  paused: "Your answers so far are kept. Please leave this page open: it goes on by itself.",
  elsewhereTitle: "Open in another tab",
  elsewhere:
    "You have opened this study in another tab or window, and it goes on there. What you wrote here is kept.",
  goOnHere: "Go on here instead",
  overTitle: "This page can’t go on",
  enterAgain: "Enter the study again",
  reload: "Load this page again",

  withdraw: "Leave the study",
  withdrawTitle: "Leave the study?",
  withdrawText:
    "You can stop at any time, without giving a reason. The study ends here and can’t be taken up again.",
  withdrawYes: "Yes, leave",
  withdrawNo: "No, go on",
} as const;

/** "8 s" or "1:05 min", of whole seconds. */
export function span(seconds: number): string {
  if (seconds < 60) return `${seconds} s`;
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")} min`;
}
