"""All kernels of the matrix, and those that have to be refused."""
import elementwise
import threads
import tiles

TAKEN = [elementwise.elementwise_cases, tiles.contraction_cases, tiles.row_cases, tiles.moving_cases, tiles.quantised_cases,
         threads.collective_cases, threads.run_cases, threads.atomic_cases, threads.order_cases, threads.byte_cases,
         threads.print_cases]
REFUSED = [elementwise.elementwise_refused, tiles.tile_refused, tiles.quantised_refused, threads.collective_refused, threads.order_refused,
           threads.byte_refused, threads.print_refused]


def all_cases():
    return [case for family in TAKEN for case in family()], [case for family in REFUSED for case in family()]
