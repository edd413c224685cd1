import { useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';

/**
 * Leads to another page, once. The router's own component does so at each render, and this page is rendered again
 * while the other one loads.
 */
export function Go({ to, next }: { to: string; next?: string }) {
  const navigate = useNavigate();
  // A path that is given as `next` has changed when the other page begins to load.
  const [search] = useState(next === undefined ? {} : { next });
  useEffect(() => {
    void navigate({ to, replace: true, search: search as never });
  }, [navigate, to, search]);
  return null;
}
