/**
 * What an operator asked for must not be done on what was found. The message names the fault and its cure; it may hold paths of
 * the machine, so it is for the operator's eyes only.
 */
export class Refused extends Error {
  override readonly name = 'Refused'
}
