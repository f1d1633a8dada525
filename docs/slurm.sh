#!/bin/sh
#SBATCH --nodes=4 --ntasks-per-node=1 --cpus-per-task=16 --time=12:00:00
address=tcp://$(hostname):8786
dask scheduler --port 8786 &
srun dask worker "$address" --nworkers 1 --nthreads "$SLURM_CPUS_PER_TASK" &
bsp-sat solve boards.jsonl --resume answers.jsonl --cluster "$address"
kill $(jobs -p)
