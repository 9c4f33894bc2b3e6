import { expect, it } from 'vitest';
import { FairQueue } from '../../../src/login/fair-queue.ts';

function drain(queue: FairQueue<string>): readonly string[] {
  const taken: string[] = [];
  for (let job = queue.take(); job !== undefined; job = queue.take()) taken.push(job);
  return taken;
}

it('serves owners in turn, and the jobs of an owner in order', () => {
  const queue = new FairQueue<string>(10);
  for (const job of ['a1', 'a2', 'a3', 'b1', 'c1', 'c2']) queue.add(job.charAt(0), job, () => {});

  expect(drain(queue)).toEqual(['a1', 'b1', 'c1', 'a2', 'c2', 'a3']);
});

it('drops the newest job of the owner with the most jobs when it is full', () => {
  const queue = new FairQueue<string>(3);
  const dropped: string[] = [];
  const add = (owner: string, job: string) => queue.add(owner, job, () => dropped.push(job));

  for (const job of ['a1', 'a2', 'a3', 'a4']) add('a', job);
  add('b', 'b1');

  expect(dropped).toEqual(['a4', 'a3']);
  expect(drain(queue)).toEqual(['a1', 'b1', 'a2']);
});

it('removes a waiting job once', () => {
  const queue = new FairQueue<string>(3);
  queue.add('a', 'a1', () => {});
  queue.add('a', 'a2', () => {});

  expect([queue.remove('a', 'a1'), queue.remove('a', 'a1'), queue.remove('b', 'a2')]).toEqual([true, false, false]);
  expect(drain(queue)).toEqual(['a2']);
});

it('has room again after a job was removed or dropped', () => {
  const queue = new FairQueue<string>(2);
  const dropped: string[] = [];
  const add = (job: string) => queue.add(job.charAt(0), job, () => dropped.push(job));

  add('a1');
  queue.remove('a', 'a1');
  for (const job of ['b1', 'c1', 'd1']) add(job);
  const full = [...dropped];
  queue.take();
  add('e1');

  // Of owners with equally many jobs, the first loses its job.
  expect(full).toEqual(['b1']);
  expect(dropped).toEqual(full);
  expect(drain(queue)).toEqual(['d1', 'e1']);
});

it('drops every job if it has no room', () => {
  const dropped: string[] = [];
  const queue = new FairQueue<string>(0);
  for (const job of ['a1', 'a2']) queue.add('a', job, () => dropped.push(job));

  expect(dropped).toEqual(['a1', 'a2']);
  expect(queue.take()).toBeUndefined();
});
