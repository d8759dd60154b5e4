import { expect, it } from 'vitest'
import { keepBothNames } from './intake.targets.ts'

it('numbers a name before its last extension', () => {
  const second = (name: string) => [...keepBothNames(name).take(3)]
  expect(second('report.pdf')).toEqual(['report.pdf', 'report (1).pdf', 'report (2).pdf'])
  expect(second('archive.tar.gz')).toEqual(['archive.tar.gz', 'archive.tar (1).gz', 'archive.tar (2).gz'])
  expect(second('README')).toEqual(['README', 'README (1)', 'README (2)'])
  expect(second(`${'长'.repeat(83)}.txt`)).toEqual([
    `${'长'.repeat(83)}.txt`,
    `${'长'.repeat(82)} (1).txt`,
    `${'长'.repeat(82)} (2).txt`,
  ])
  expect(second('.bashrc')).toEqual(['.bashrc', '.bashrc (1)', '.bashrc (2)'])
})
