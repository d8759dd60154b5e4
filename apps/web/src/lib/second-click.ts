let shownAtFirst: string | undefined

/**
 * A name opens with the first click, so that the second one of a double click comes down on whatever the new folder has in that place.
 * @param detail how many clicks in the same place it is, as the system counts them
 * @returns whether this click is such a second one, meant for what was there before
 */
export function isSecondClick({ detail }: Pick<MouseEvent, 'detail'>, folder: string): boolean {
  if (detail > 1) return folder !== shownAtFirst
  shownAtFirst = folder
  return false
}
