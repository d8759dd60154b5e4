import { expect, it } from 'vitest'
import { isSecondClick } from './second-click.ts'

it('is one that belongs to a first click in another folder', () => {
  expect(isSecondClick({ detail: 1 }, '/')).toBe(false)
  expect(isSecondClick({ detail: 2 }, '/films')).toBe(true)
  expect(isSecondClick({ detail: 1 }, '/films')).toBe(false)
  expect(isSecondClick({ detail: 2 }, '/films')).toBe(false)
  // By the keyboard.
  expect(isSecondClick({ detail: 0 }, '/films/more')).toBe(false)
})
