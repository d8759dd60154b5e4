/** Around each label: padding and the arrow before it. */
const PART_EXTRA = 34
/** The button of the folded middle with its arrow, and the one that copies the path. */
const BUTTONS = 2 * 44 + 16
const WIDE = 14
const NARROW = 8
const CJK = /[\u1100-\u11ff\u2e80-\uffef]/u
/** However narrow the screen is: where one is, and one step up. */
const SHOWN_MIN = 2

/**
 * How many of the last parts of a path stand beside its first one; those between are folded into a menu.
 * @param labels the root's first @param width pixels of the whole trail; estimated, so that nothing is drawn twice
 */
export function shownParts(labels: readonly string[], width: number): number {
  const [root = '', ...parts] = labels
  let room = width - BUTTONS - widthOf(root)
  let shown = 0
  for (const label of parts.toReversed()) {
    room -= widthOf(label)
    if (room < 0 && shown >= SHOWN_MIN) break
    shown += 1
  }
  return shown
}

function widthOf(label: string): number {
  let width = PART_EXTRA
  for (const character of label) width += CJK.test(character) ? WIDE : NARROW
  return width
}
